/** A new password with its requirements, ticked while typing, and its repetition. */
import { useTranslation } from "react-i18next";
import { Field } from "@/components/field";
import { PasswordChecklist } from "@/components/password-checklist";
import { PasswordInput } from "@/components/password-input";

interface NewPasswordFieldsProps {
  label: string;
  policy: "signup" | "reset";
  password: string;
  confirmation: string;
  /** The first violation of each field, shown under it. */
  errors: { password: string | undefined; confirm_password: string | undefined };
  onEdit: (field: "password" | "confirm_password", value: string) => void;
}

export function NewPasswordFields({ label, policy, password, confirmation, errors, onEdit }: NewPasswordFieldsProps) {
  const { t } = useTranslation("auth");
  return (
    <>
      <div className="flex flex-col gap-2.5">
        <Field label={label} error={errors.password}>
          {(wiring) => (
            <PasswordInput
              {...wiring}
              name="password"
              autoComplete="new-password"
              value={password}
              onChange={(event) => onEdit("password", event.target.value)}
            />
          )}
        </Field>
        <PasswordChecklist policy={policy} password={password} />
      </div>
      <Field label={t("confirm_password")} error={errors.confirm_password}>
        {(wiring) => (
          <PasswordInput
            {...wiring}
            name="confirm_password"
            autoComplete="new-password"
            value={confirmation}
            onChange={(event) => onEdit("confirm_password", event.target.value)}
          />
        )}
      </Field>
    </>
  );
}
