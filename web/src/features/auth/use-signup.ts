import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigate } from "react-router";
import { ApiError, signUp } from "@/api";
import { useErrorText } from "@/hooks/use-error-text";
import { useInvalidFocus } from "@/hooks/use-invalid-focus";
import { useLocale } from "@/hooks/use-locale";
import { type BrokenRule, useViolationText } from "@/hooks/use-violation-text";
import { planOfReturnTarget, returnTargetFrom } from "@/lib/chosen-plan";
import { toast } from "@/lib/toast";
import { normalizeEmail, validateSignup } from "@/rules";
import { formFailure } from "./failures";
import { type FieldErrors, type FormField, firstOfEach, formViolation } from "./field-errors";
import { pendingSignup } from "./pending-signup";
import { useGoogleProblem } from "./use-google-problem";

export interface SignupFields {
  email: string;
  password: string;
  confirm_password: string;
  terms: boolean;
}

const FIELDS: readonly FormField[] = ["email", "password", "confirm_password", "terms"];

/** Validates the form with the shared rules, sends it, and assigns errors to fields. */
export function useSignup(form: SignupFields) {
  const { t } = useTranslation("auth");
  const violationText = useViolationText();
  const errorText = useErrorText();
  const navigate = useNavigate();
  const locale = useLocale();
  const back = returnTargetFrom(useLocation());
  const google = useGoogleProblem("signup");
  const [errors, setErrors] = useState<FieldErrors>({});
  const [formRule, setFormRule] = useState<BrokenRule | null>(null);
  const [emailTaken, setEmailTaken] = useState<ApiError | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const { form: element, refused } = useInvalidFocus();

  const clear = (field: FormField) => {
    // The check of the repeated password depends on both fields.
    const also = field === "password" ? { confirm_password: undefined } : {};
    setErrors({ ...errors, [field]: undefined, ...also });
    if (field === "email") setEmailTaken(null);
    setFormRule(null);
    setFailure(null);
    google.dismiss();
  };

  const show = (violations: readonly BrokenRule[]): boolean => {
    const broken = firstOfEach(violations);
    setErrors(broken);
    setFormRule(formViolation(violations, FIELDS));
    if (broken.terms) toast.refusal(violationText(broken.terms));
    refused();
    return Object.keys(broken).length > 0;
  };

  const fail = (error: unknown) => {
    setBusy(false);
    if (error instanceof ApiError && error.code === "email_taken") {
      setEmailTaken(error);
      refused();
    } else if (!(error instanceof ApiError && error.code === "validation_failed" && show(error.violations))) {
      setFailure(error);
    }
  };

  // Created while rendering, so that it follows the language.
  const failureText = () => {
    if (formRule !== null) return violationText(formRule);
    if (failure === null) return google.text;
    const kind = formFailure(failure);
    return kind === "named" ? errorText(failure) : t(kind === "failed" ? "signup.failed" : "exception");
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setFailure(null);
    setEmailTaken(null);
    google.dismiss();
    toast.dismissRefusal();
    if (show(validateSignup(form))) return;
    setBusy(true);
    try {
      const registration = await signUp({ ...form, email: normalizeEmail(form.email) }, locale, planOfReturnTarget(back));
      await navigate("/verify", { state: { ...back, signup: pendingSignup(registration, true, Date.now()) } });
    } catch (error) {
      fail(error);
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
