/** The requirements of a password, ticked while typing. */
import { Check, Circle } from "lucide-react";
import { useTranslation } from "react-i18next";
import { cx } from "@/lib/class-names";
import { type PasswordPolicy, passwordChecklist, passwordMinLength } from "@/rules";

export function PasswordChecklist({ policy, password }: { policy: PasswordPolicy; password: string }) {
  const { t } = useTranslation(["auth", "rules"]);
  const min = passwordMinLength(policy);
  return (
    <ul aria-label={t("signup.checklist")} className="grid grid-cols-1 gap-x-4 gap-y-1 text-sm min-[420px]:grid-cols-2">
      {passwordChecklist(policy, password).map(({ requirement, met }) => {
        const Icon = met ? Check : Circle;
        return (
          <li key={requirement} className={cx("flex items-center gap-2", met ? "text-good" : "text-ink-faint")}>
            <Icon aria-hidden="true" className={cx("size-4 shrink-0", !met && "scale-50")} strokeWidth={met ? 2.5 : 2} />
            {t(`rules:requirement.${requirement}`, { min })}
            <span className="sr-only">: {t(met ? "met" : "unmet")}</span>
          </li>
        );
      })}
    </ul>
  );
}
