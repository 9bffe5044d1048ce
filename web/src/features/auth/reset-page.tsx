/** Sets a new password with the link from the reset mail. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, LinkButton } from "@/components/button";
import { FormAlert } from "@/components/form-alert";
import { usePageTitle } from "@/hooks/use-page-title";
import { useViolationText } from "@/hooks/use-violation-text";
import { AuthLayout } from "./auth-layout";
import { useStoredHashSecret } from "./hash-secret";
import { NewPasswordFields } from "./new-password-fields";
import { useReset } from "./use-reset";

const EMPTY = { password: "", confirm_password: "" };

export function ResetPage() {
  const { t } = useTranslation("auth");
  usePageTitle(t("reset.title"));
  const { secret, forget } = useStoredHashSecret("token");
  // Another link resets the form.
  return secret === null ? <NoLongerValid /> : <ResetForm key={secret} token={secret} onInvalid={forget} />;
}

interface ResetFormProps {
  token: string;
  /** The server does not accept the token any more. */
  onInvalid: () => void;
}

function ResetForm({ token, onInvalid }: ResetFormProps) {
  const { t } = useTranslation("auth");
  const violationText = useViolationText();
  const [form, setForm] = useState(EMPTY);
  const { element, errors, failure, busy, clear, submit } = useReset({ token, ...form }, onInvalid);

  const edit = (field: keyof typeof EMPTY, value: string) => {
    setForm({ ...form, [field]: value });
    clear();
  };

  return (
    <AuthLayout title={t("reset.title")} lead={t("reset.lead")}>
      <form ref={element} onSubmit={submit} noValidate className="flex flex-col gap-5">
        <FormAlert text={failure} />
        <NewPasswordFields
          label={t("reset.password")}
          policy="reset"
          password={form.password}
          confirmation={form.confirm_password}
          errors={{
            password: errors.password && violationText(errors.password),
            confirm_password: errors.confirm_password && violationText(errors.confirm_password),
          }}
          onEdit={edit}
        />
        <Button type="submit" look="primary" busy={busy} className="mt-1 w-full">
          {busy ? t("reset.submitting") : t("reset.submit")}
        </Button>
      </form>
    </AuthLayout>
  );
}

function NoLongerValid() {
  const { t } = useTranslation("auth");
  return (
    <AuthLayout view="invalid" title={t("reset.invalid_title")} lead={t("reset.invalid_text")}>
      <div className="flex flex-wrap gap-3">
        <LinkButton to="/forgot-password" look="primary">
          {t("reset.ask_again")}
        </LinkButton>
        <LinkButton to="/login" look="quiet">
          {t("forgot.to_login")}
        </LinkButton>
      </div>
    </AuthLayout>
  );
}
