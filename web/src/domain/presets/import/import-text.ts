/** Messages for violations in a pasted import. */
import { useTranslation } from "react-i18next";
import { type BrokenRule, useViolationText } from "@/hooks/use-violation-text";

/** Names the preset by its number, counted from 1. */
export function useImportFault(): (violation: BrokenRule) => string {
  const { t } = useTranslation("presets");
  const violationText = useViolationText();
  return (violation) => {
    const text = violationText(violation);
    const { number, path } = placeOf(violation.field);
    // The message for a missing field contains its number and its name.
    if (number === null || violation.code === "preset_field_missing") return text;
    return path ? t("import.fault_at", { number, path, text }) : t("import.fault", { number, text });
  };
}

/** `2.settings.summarize` is the field `settings.summarize` of the third preset. */
export function placeOf(field: string): { number: number | null; path: string } {
  const match = /^(?:presets\.)?(\d+)(?:\.(.*))?$/.exec(field);
  return match ? { number: Number(match[1]) + 1, path: match[2] ?? "" } : { number: null, path: field };
}
