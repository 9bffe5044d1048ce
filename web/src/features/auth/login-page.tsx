import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import { accountDeleted, authOptionsQuery, sessionExpired } from "@/api";
import { Button } from "@/components/button";
import { Checkbox } from "@/components/checkbox";
import { Field, TextInput } from "@/components/field";
import { FormAlert } from "@/components/form-alert";
import { PasswordInput } from "@/components/password-input";
import { usePageTitle } from "@/hooks/use-page-title";
import { useViolationText } from "@/hooks/use-violation-text";
import { returnTargetFrom } from "@/lib/chosen-plan";
import { AuthLayout } from "./auth-layout";
import { GoogleButton } from "./google-button";
import { useLogin } from "./use-login";

export function LoginPage() {
  const { t } = useTranslation("auth");
  usePageTitle(t("login.submit"));
  const back = returnTargetFrom(useLocation());
  const violationText = useViolationText();
  const { data: options } = useQuery(authOptionsQuery());
  const { element, form, edit, remember, setRemember, errors, failure, busy, submit } = useLogin();

  return (
    <AuthLayout title={t("login.title")} lead={t("login.lead")}>
      <form ref={element} onSubmit={submit} noValidate className="flex flex-col gap-5">
        {failure === null && <Note />}
        <FormAlert text={failure} />
        <Field label={t("email")} error={errors.email && violationText(errors.email)}>
          {(wiring) => (
            <TextInput
              {...wiring}
              type="email"
              name="email"
              autoComplete="username"
              value={form.email}
              onChange={(event) => edit("email", event.target.value)}
            />
          )}
        </Field>
        <Field label={t("password")} error={errors.password && violationText(errors.password)}>
          {(wiring) => (
            <PasswordInput
              {...wiring}
              name="password"
              autoComplete="current-password"
              value={form.password}
              onChange={(event) => edit("password", event.target.value)}
            />
          )}
        </Field>
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <Checkbox checked={remember} onChange={setRemember}>
            {t("login.remember")}
          </Checkbox>
          <Link
            to="/forgot-password"
            state={{ ...back, email: form.email }}
            className="text-[0.9375rem] text-accent underline underline-offset-4"
          >
            {t("login.forgot")}
          </Link>
        </div>
        <Button type="submit" look="primary" busy={busy} className="mt-1 w-full">
          {busy ? t("login.submitting") : t("login.submit")}
        </Button>
      </form>
      <GoogleButton intent="login" remember={remember} />
      {options?.sign_up !== false && (
        <p className="mt-6 text-[0.9375rem] text-ink-soft">
          {t("login.no_account")}{" "}
          <Link to="/signup" state={back} className="font-strong text-accent underline underline-offset-4">
            {t("login.to_signup")}
          </Link>
        </p>
      )}
    </AuthLayout>
  );
}

/** Why the user is here: the session expired, the account was deleted, or the password has just been changed. */
function Note() {
  const { t } = useTranslation(["auth", "problems", "settings"]);
  const state = useLocation().state as { passwordChanged?: unknown } | null;
  const [expired] = useState(sessionExpired);
  const [deleted] = useState(accountDeleted);
  const text = () => {
    if (state?.passwordChanged === true) return t("reset.done");
    if (deleted) return t("settings:delete.done");
    return expired ? t("problems:codes.unauthorized") : null;
  };
  const notice = text();
  if (notice === null) return null;
  return (
    <p role="status" className="rounded bg-note-wash px-3.5 py-3 text-[0.9375rem]">
      {notice}
    </p>
  );
}
