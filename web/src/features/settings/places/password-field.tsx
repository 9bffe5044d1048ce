/** The password of a source or a target: it can be entered and removed, and is never shown again. */
import { useTranslation } from "react-i18next";
import { Checkbox } from "@/components/checkbox";
import { Field } from "@/components/field";
import { PasswordInput } from "@/components/password-input";
import { losesPassword } from "./place-of";

interface PasswordFieldProps {
  label: string;
  /** What is stored; null for something new. */
  stored: { has_password: boolean; location: string } | null;
  form: { location: string; password: string; removesPassword: boolean };
  error: string | undefined;
  change: (change: { password: string; removesPassword: boolean }) => void;
}

export function PasswordField({ label, stored, form, error, change }: PasswordFieldProps) {
  const { t } = useTranslation("sources");
  const isLost = losesPassword(stored, form.location);
  const isKept = stored?.has_password === true && !isLost;
  const hint = isLost ? t("editor.password_lost") : isKept ? t("editor.password_kept") : t("editor.password_hint");
  return (
    <div className="flex flex-col gap-2">
      <Field label={label} hint={hint} error={error}>
        {(wiring) => (
          <PasswordInput
            {...wiring}
            autoComplete="off"
            disabled={isKept && form.removesPassword}
            value={form.password}
            onChange={(event) => change({ password: event.currentTarget.value, removesPassword: false })}
          />
        )}
      </Field>
      {isKept && (
        <Checkbox checked={form.removesPassword} onChange={(removesPassword) => change({ removesPassword, password: "" })}>
          {t("editor.password_remove")}
        </Checkbox>
      )}
    </div>
  );
}
