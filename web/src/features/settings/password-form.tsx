import { Check } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { useTranslation } from "react-i18next";
import type { User } from "@/api/account";
import { Button } from "@/components/button";
import { Field } from "@/components/field";
import { FormAlert } from "@/components/form-alert";
import { PasswordChecklist } from "@/components/password-checklist";
import { PasswordInput } from "@/components/password-input";
import { EMPTY, type PasswordField, usePasswordChange } from "./use-password-change";

export function PasswordForm({ user }: { user: User }) {
  const { t } = useTranslation("settings");
  const [form, setForm] = useState(EMPTY);
  const { element, errorOf, failure, busy, done, clear, submit } = usePasswordChange(form, () => setForm(EMPTY));

  const wire = (name: PasswordField): Omit<ComponentProps<"input">, "type" | "className"> => ({
    name,
    value: form[name],
    onChange: (event) => {
      setForm({ ...form, [name]: event.target.value });
      clear(name);
    },
  });

  return (
    <form ref={element} onSubmit={submit} noValidate className="flex max-w-md flex-col gap-5">
      <FormAlert text={failure} />
      {/* Tells password managers the user name. */}
      <input type="email" name="username" autoComplete="username" value={user.email} readOnly hidden />
      <Field label={t("password.current")} error={errorOf("current_password")}>
        {(wiring) => <PasswordInput {...wiring} {...wire("current_password")} autoComplete="current-password" />}
      </Field>
      <div className="flex flex-col gap-2.5">
        <Field label={t("password.new")} error={errorOf("password")}>
          {(wiring) => <PasswordInput {...wiring} {...wire("password")} autoComplete="new-password" />}
        </Field>
        <PasswordChecklist policy="change" password={form.password} />
      </div>
      <Field label={t("password.confirm")} error={errorOf("confirm_password")}>
        {(wiring) => <PasswordInput {...wiring} {...wire("confirm_password")} autoComplete="new-password" />}
      </Field>
      <div className="flex flex-col items-start gap-3">
        <Button type="submit" look="primary" busy={busy}>
          {busy ? t("save.saving") : t("password.change")}
        </Button>
        <p role="status" className="flex items-start gap-1.5 text-sm text-good empty:hidden">
          {done && (
            <>
              <Check aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
              {t("password.done")}
            </>
          )}
        </p>
      </div>
    </form>
  );
}
