import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import { authOptionsQuery } from "@/api";
import { Button, LinkButton } from "@/components/button";
import { Checkbox } from "@/components/checkbox";
import { Field, TextInput } from "@/components/field";
import { FormAlert } from "@/components/form-alert";
import { usePageTitle } from "@/hooks/use-page-title";
import { useViolationText } from "@/hooks/use-violation-text";
import { returnTargetFrom } from "@/lib/chosen-plan";
import { AuthLayout } from "./auth-layout";
import { ChosenPlanNote } from "./chosen-plan-note";
import { GoogleButton } from "./google-button";
import { LegalSentence } from "./legal";
import { NewPasswordFields } from "./new-password-fields";
import { type SignupFields, useSignup } from "./use-signup";

const EMPTY: SignupFields = { email: "", password: "", confirm_password: "", terms: false };

export function SignupPage() {
  const { t } = useTranslation("auth");
  usePageTitle(t("signup.submit"));
  const back = returnTargetFrom(useLocation());
  const violationText = useViolationText();
  const [form, setForm] = useState(EMPTY);
  const { data: options } = useQuery(authOptionsQuery());
  const { element, errors, emailTaken, failure, busy, clear, submit } = useSignup(form);

  const edit = <F extends keyof SignupFields>(field: F, value: SignupFields[F]) => {
    setForm({ ...form, [field]: value });
    clear(field);
  };

  if (options?.sign_up === false) {
    return (
      <AuthLayout title={t("signup.closed_title")} lead={t("signup.closed_text")}>
        <LinkButton to="/login" state={back} look="primary" className="w-full">
          {t("signup.to_login")}
        </LinkButton>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title={t("signup.title")} lead={t("signup.lead")}>
      <ChosenPlanNote />
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
        <NewPasswordFields
          label={t("password")}
          policy="signup"
          password={form.password}
          confirmation={form.confirm_password}
          errors={{
            password: errors.password && violationText(errors.password),
            confirm_password: errors.confirm_password && violationText(errors.confirm_password),
          }}
          onEdit={edit}
        />
        <Checkbox
          checked={form.terms}
          onChange={(checked) => edit("terms", checked)}
          error={errors.terms && violationText(errors.terms)}
        >
          <LegalSentence text="signup.terms" />
        </Checkbox>
        <Button type="submit" look="primary" busy={busy} className="mt-1 w-full">
          {busy ? t("signup.submitting") : t("signup.submit")}
        </Button>
      </form>
      <GoogleButton intent="signup" remember />
      <p className="mt-6 text-[0.9375rem] text-ink-soft">
        {t("signup.have_account")}{" "}
        <Link to="/login" state={back} className="font-strong text-accent underline underline-offset-4">
          {t("signup.to_login")}
        </Link>
      </p>
    </AuthLayout>
  );
}
