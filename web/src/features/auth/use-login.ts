import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigate } from "react-router";
import { ApiError, signIn } from "@/api";
import { useErrorText } from "@/hooks/use-error-text";
import { useInvalidFocus } from "@/hooks/use-invalid-focus";
import { returnTarget } from "@/lib/return-target";
import { validateLogin } from "@/rules";
import { loginFailure } from "./failures";
import { type FieldErrors, firstOfEach } from "./field-errors";
import { signupOfProblem } from "./pending-signup";
import { useGoogleProblem } from "./use-google-problem";

/** Validates the form with the shared rules, sends it, and classifies the result. */
export function useLogin() {
  const { t } = useTranslation("auth");
  const errorText = useErrorText();
  const navigate = useNavigate();
  const state: unknown = useLocation().state;
  const google = useGoogleProblem("login");
  const [form, setForm] = useState({ email: "", password: "" });
  const [remember, setRemember] = useState(true);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const { form: element, refused } = useInvalidFocus();

  const edit = (field: "email" | "password", value: string) => {
    setForm({ ...form, [field]: value });
    setErrors({ ...errors, [field]: undefined });
    setFailure(null);
    google.dismiss();
  };

  const fail = (error: unknown) => {
    setBusy(false);
    if (error instanceof ApiError && error.code === "email_unverified") {
      const signup = signupOfProblem(error.params, remember, Date.now());
      if (signup) return void navigate("/verify", { state: { ...returnTarget(state), signup } });
    }
    if (error instanceof ApiError && error.code === "validation_failed") setErrors(firstOfEach(error.violations));
    else setFailure(error);
    refused();
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const broken = firstOfEach(validateLogin(form));
    setErrors(broken);
    setFailure(null);
    google.dismiss();
    if (Object.keys(broken).length > 0) return refused();
    setBusy(true);
    try {
      // The route's guard redirects once the user is signed in.
      await signIn(form, remember);
    } catch (error) {
      fail(error);
    }
  };

  // Created while rendering, so that it follows the language.
  const failureText = () => {
    if (failure === null) return google.text;
    return loginFailure(failure) === "named" ? errorText(failure) : t("exception");
  };

  return { element, form, edit, remember, setRemember, errors, failure: failureText(), busy, submit };
}
