import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import { ApiError, signUp } from "@/api";
import { Button } from "@/components/button";
import { Checkbox } from "@/components/checkbox";
import { Field, TextInput } from "@/components/field";
import { useErrorText } from "@/hooks/use-error-text";
import { useLocale } from "@/hooks/use-locale";
import { usePageTitle } from "@/hooks/use-page-title";
import { type BrokenRule, useViolationText } from "@/hooks/use-violation-text";
import { toast } from "@/lib/toast";
import { normalizeEmail, validateSignup } from "@/rules";
import { AuthLayout } from "./auth-layout";
import { type FieldErrors, type FormField, signupErrors } from "./field-errors";
import { FormAlert } from "./form-alert";
import { PasswordChecklist } from "./password-checklist";
import { PasswordInput } from "./password-input";
import { useInvalidFocus } from "./use-invalid-focus";

const EMPTY = { email: "", password: "", confirm_password: "", terms: false };
type Form = typeof EMPTY;

export function SignupPage() {
  const { t } = useTranslation("auth");
  usePageTitle(t("signup.submit"));
  const { state } = useLocation();
  const violationText = useViolationText();
  const [form, setForm] = useState(EMPTY);
  const { element, errors, emailTaken, failure, busy, clear, submit } = useSignup(form);

  const edit = <F extends FormField>(field: F, value: Form[F]) => {
    setForm({ ...form, [field]: value });
    clear(field);
  };

  return (
    <AuthLayout title={t("signup.title")} lead={t("signup.lead")}>
      <form ref={element} onSubmit={submit} noValidate className="flex flex-col gap-5">
        <FormAlert text={failure} />
        <Field label={t("email")} error={emailTaken ?? (errors.email && violationText(errors.email))}>
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
        <div className="flex flex-col gap-2.5">
          <Field label={t("password")}>
            {(wiring) => (
              <PasswordInput
                {...wiring}
                name="password"
                autoComplete="new-password"
                value={form.password}
                onChange={(event) => edit("password", event.target.value)}
              />
            )}
          </Field>
          <PasswordChecklist password={form.password} />
        </div>
        <Field label={t("confirm_password")} error={errors.confirm_password && violationText(errors.confirm_password)}>
          {(wiring) => (
            <PasswordInput
              {...wiring}
              name="confirm_password"
              autoComplete="new-password"
              value={form.confirm_password}
              onChange={(event) => edit("confirm_password", event.target.value)}
            />
          )}
        </Field>
        <Checkbox checked={form.terms} onChange={(checked) => edit("terms", checked)} invalid={errors.terms !== undefined}>
          {t("signup.terms")}
        </Checkbox>
        <Button type="submit" look="primary" busy={busy} className="mt-1 w-full">
          {busy ? t("signup.submitting") : t("signup.submit")}
        </Button>
      </form>
      <p className="mt-6 text-[0.9375rem] text-ink-soft">
        {t("signup.have_account")}{" "}
        <Link to="/login" state={state} className="font-strong text-accent underline underline-offset-4">
          {t("signup.to_login")}
        </Link>
      </p>
    </AuthLayout>
  );
}

/** Checks the form by the shared rules, sends it, and sorts what comes back to the fields. */
function useSignup(form: Form) {
  const { t } = useTranslation("auth");
  const violationText = useViolationText();
  const errorText = useErrorText();
  const [errors, setErrors] = useState<FieldErrors>({});
  const [emailTaken, setEmailTaken] = useState<ApiError | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const { form: element, refused } = useInvalidFocus();
  const locale = useLocale();

  const clear = (field: FormField) => {
    // The password's message stands under the confirmation, so editing either clears it.
    const also = field === "password" ? { confirm_password: undefined } : {};
    setErrors({ ...errors, [field]: undefined, ...also });
    if (field === "email") setEmailTaken(null);
    setFailure(null);
  };

  const show = (violations: readonly BrokenRule[]): boolean => {
    const broken = signupErrors(violations);
    setErrors(broken);
    if (broken.terms) toast.error(violationText(broken.terms));
    refused();
    return Object.keys(broken).length > 0;
  };

  const fail = (error: unknown) => {
    if (error instanceof ApiError && error.code === "email_taken") {
      setEmailTaken(error);
      refused();
    } else if (!(error instanceof ApiError && error.code === "validation_failed" && show(error.violations))) {
      setFailure(error);
    }
  };

  // Made while rendering, so that another language brings another text.
  const failureText = () => {
    if (failure === null) return null;
    if (!(failure instanceof ApiError) || failure.status === 0) return t("exception");
    return failure.code === "rate_limited" ? errorText(failure) : t("signup.failed");
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setFailure(null);
    toast.dismissAll();
    if (show(validateSignup(form))) return;
    setBusy(true);
    try {
      await signUp({ ...form, email: normalizeEmail(form.email) }, locale);
    } catch (error) {
      fail(error);
      setBusy(false);
    }
  };

  return {
    element,
    errors,
    emailTaken: emailTaken ? errorText(emailTaken) : undefined,
    failure: failureText(),
    busy,
    clear,
    submit,
  };
}
