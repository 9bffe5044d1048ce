import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import { ApiError, sessionExpired, signIn } from "@/api";
import { Button } from "@/components/button";
import { Checkbox } from "@/components/checkbox";
import { Field, TextInput } from "@/components/field";
import { useErrorText } from "@/hooks/use-error-text";
import { usePageTitle } from "@/hooks/use-page-title";
import { useViolationText } from "@/hooks/use-violation-text";
import { validateLogin } from "@/rules";
import { AuthLayout } from "./auth-layout";
import { type FieldErrors, firstOfEach } from "./field-errors";
import { FormAlert } from "./form-alert";
import { PasswordInput } from "./password-input";
import { useInvalidFocus } from "./use-invalid-focus";

export function LoginPage() {
  const { t } = useTranslation(["auth", "problems"]);
  usePageTitle(t("login.submit"));
  const { state } = useLocation();
  const violationText = useViolationText();
  const failureText = useLoginFailureText();
  const [form, setForm] = useState({ email: "", password: "" });
  const [remember, setRemember] = useState(true);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const [expired] = useState(sessionExpired);
  const { form: element, refused } = useInvalidFocus();

  const edit = (field: "email" | "password", value: string) => {
    setForm({ ...form, [field]: value });
    setErrors({ ...errors, [field]: undefined });
    setFailure(null);
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const broken = firstOfEach(validateLogin(form));
    setErrors(broken);
    setFailure(null);
    if (Object.keys(broken).length > 0) {
      refused();
      return;
    }
    setBusy(true);
    try {
      // The guard of this route leads on as soon as somebody is signed in.
      await signIn(form, remember);
    } catch (error) {
      if (error instanceof ApiError && error.code === "validation_failed") setErrors(firstOfEach(error.violations));
      else setFailure(error);
      refused();
      setBusy(false);
    }
  };

  return (
    <AuthLayout title={t("login.title")} lead={t("login.lead")}>
      <form ref={element} onSubmit={submit} noValidate className="flex flex-col gap-5">
        {expired && failure === null && (
          <p role="status" className="rounded bg-note-wash px-3.5 py-3 text-[0.9375rem]">
            {t("problems:codes.unauthorized")}
          </p>
        )}
        <FormAlert text={failure === null ? null : failureText(failure)} />
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
        <Checkbox checked={remember} onChange={setRemember}>
          {t("login.remember")}
        </Checkbox>
        <Button type="submit" look="primary" busy={busy} className="mt-1 w-full">
          {busy ? t("login.submitting") : t("login.submit")}
        </Button>
      </form>
      <p className="mt-6 text-[0.9375rem] text-ink-soft">
        {t("login.no_account")}{" "}
        <Link to="/signup" state={state} className="font-strong text-accent underline underline-offset-4">
          {t("login.to_signup")}
        </Link>
      </p>
    </AuthLayout>
  );
}

/** A refusal says what to check; anything that is not an answer of the server is an exception. */
function useLoginFailureText(): (error: unknown) => string {
  const { t } = useTranslation("auth");
  const errorText = useErrorText();
  return (error) => (error instanceof ApiError && error.status > 0 ? errorText(error) : t("exception"));
}
