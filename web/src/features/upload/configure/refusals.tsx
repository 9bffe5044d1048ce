/** Why there is no job yet. */
import { CircleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { type BrokenRule, useViolationText } from "@/hooks/use-violation-text";
import { FormAlert } from "./form-alert";

export function ViolationList({ violations }: { violations: readonly BrokenRule[] }) {
  const { t } = useTranslation("configure");
  const violationText = useViolationText();
  return (
    <FormAlert>
      <div>
        <p className="font-strong">{t("errors.list")}</p>
        <ul className="mt-1 list-disc pl-5">
          {violations.map((violation) => (
            <li key={`${violation.field} ${violation.code}`}>{violationText(violation)}</li>
          ))}
        </ul>
      </div>
    </FormAlert>
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
