/** What a new key permits, each with its explanation. */
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { ApiScope } from "@/api/api-keys";
import { Checkbox } from "@/components/checkbox";
import { FieldError } from "@/components/field";
import { SCOPES } from "@/domain/api-keys/scopes";

interface ScopesFieldProps {
  /** Only administrators can give a key their own rights. */
  isAdmin: boolean;
  scopes: readonly ApiScope[];
  error: string | undefined;
  onChange: (scopes: readonly ApiScope[]) => void;
}

export function ScopesField({ isAdmin, scopes, error, onChange }: ScopesFieldProps) {
  const { t } = useTranslation("api-keys");
  const errorId = useId();
  const offered = SCOPES.filter((scope) => scope !== "admin" || isAdmin);
  return (
    <fieldset className="flex flex-col gap-2.5">
      <legend className="mb-1.5 text-[0.9375rem] font-strong">{t("scopes.label")}</legend>
      {offered.map((scope) => (
        <Checkbox
          key={scope}
          checked={scopes.includes(scope)}
          invalid={error !== undefined}
          describedBy={error && errorId}
          onChange={(checked) => onChange(SCOPES.filter((one) => (one === scope ? checked : scopes.includes(one))))}
        >
          {t(`scopes.${scope}.name`)}
          <span className="block text-sm text-ink-soft">{t(`scopes.${scope}.text`)}</span>
        </Checkbox>
      ))}
      <FieldError id={errorId} text={error} />
    </fieldset>
  );
}
