/** Everything that the rules have against a preset. */
import { CircleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useChoiceWords } from "@/domain/settings/settings-words";
import { type BrokenRule, useViolationText } from "@/hooks/use-violation-text";
import { choiceOf, fieldOf, isOwn } from "./edit-fields";

export function PresetViolations({ violations }: { violations: readonly BrokenRule[] }) {
  const { t } = useTranslation(["admin-presets", "rules"]);
  const violationText = useViolationText();
  const words = useChoiceWords();
  /** A setting that the dialog does not show has no other name than the one in files. */
  const nameOf = (path: string) => {
    const field = fieldOf(path);
    if (isOwn(field)) return t(`fields.${field}`);
    const choice = choiceOf(field);
    return choice ? words.label(choice.name) : field;
  };
  return (
    <div role="alert" className="not-has-[ul]:-mb-5">
      {violations.length > 0 && (
        <div className="rounded bg-bad-wash px-4 py-3 text-[0.9375rem]">
          <p className="flex items-start gap-2 font-strong text-bad">
            <CircleAlert aria-hidden="true" className="mt-0.5 size-4.5 shrink-0" />
            {t("rules:notes.fix_violations")}
          </p>
          <ul className="mt-1.5 flex max-h-40 list-disc flex-col gap-1 overflow-y-auto pl-11">
            {violations.map((violation) => (
              <li key={`${violation.field} ${violation.code}`} className="wrap-anywhere">
                {t("editor.fault", { field: nameOf(violation.field), text: violationText(violation) })}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
