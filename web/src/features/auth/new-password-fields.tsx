/** A password that is chosen: with what it needs ticked while it is typed, and once more. */
import { useTranslation } from "react-i18next";
import { Field } from "@/components/field";
import { PasswordInput } from "@/components/password-input";
import { PasswordChecklist } from "./password-checklist";

interface NewPasswordFieldsProps {
  label: string;
  policy: "signup" | "reset";
  password: string;
  confirmation: string;
  /** Of both: it stands under the confirmation, where the eye is last. */
  error: string | undefined;
  onEdit: (field: "password" | "confirm_password", value: string) => void;
}

export function NewPasswordFields({ label, policy, password, confirmation, error, onEdit }: NewPasswordFieldsProps) {
  const { t } = useTranslation("auth");
  return (
    <>
      <div className="flex flex-col gap-2.5">
        <Field label={label}>
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
      <Field label={t("confirm_password")} error={error}>
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
