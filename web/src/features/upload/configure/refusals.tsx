/** Why the job was not created. */
import { CircleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { type BrokenRule, useViolationText } from "@/hooks/use-violation-text";
import { FormAlert } from "./form-alert";

/** All errors at once, visible wherever the first invalid field is: that one has the focus. */
export function ViolationList({ violations }: { violations: readonly BrokenRule[] }) {
  const { t } = useTranslation("configure");
  const violationText = useViolationText();
  return (
    <div
      role="alert"
      className="sticky top-[calc(var(--header-height)+0.5rem)] z-20 rounded-lg border border-bad bg-bad-wash px-4 py-3 shadow-sheet"
    >
      <p className="font-strong">{t("errors.list")}</p>
      <ul className="mt-1 list-disc pl-5">
        {violations.map((violation) => (
          <li key={`${violation.field} ${violation.code}`}>{violationText(violation)}</li>
        ))}
      </ul>
    </div>
  );
}

export function Failure({ text }: { text: string }) {
  const { t } = useTranslation("upload");
  return (
    <FormAlert>
      <CircleAlert aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-bad" />
      <div>
        <p className="font-strong">{t("errors.job")}</p>
        <p>{text}</p>
      </div>
    </FormAlert>
  );
}
