/** What is wrong with a pasted import, in words. */
import { useTranslation } from "react-i18next";
import { type BrokenRule, useViolationText } from "@/hooks/use-violation-text";

/** By the preset's number, as somebody counts who looks at the file. */
export function useImportFault(): (violation: BrokenRule) => string {
  const { t } = useTranslation("presets");
  const violationText = useViolationText();
  return (violation) => {
    const text = violationText(violation);
    const { number, path } = placeOf(violation.field);
    // What is missing says its number and its field itself.
    if (number === null || violation.code === "preset_field_missing") return text;
    return path ? t("import.fault_at", { number, path, text }) : t("import.fault", { number, text });
  };
}

/** `2.settings.summarize` is the field `settings.summarize` of the third preset. */
export function placeOf(field: string): { number: number | null; path: string } {
  const found = /^(?:presets\.)?(\d+)(?:\.(.*))?$/.exec(field);
  return found ? { number: Number(found[1]) + 1, path: found[2] ?? "" } : { number: null, path: field };
}
