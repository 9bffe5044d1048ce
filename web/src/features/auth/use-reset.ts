import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { ApiError, resetPassword, signOut } from "@/api";
import { useErrorText } from "@/hooks/use-error-text";
import { useInvalidFocus } from "@/hooks/use-invalid-focus";
import type { BrokenRule } from "@/hooks/use-violation-text";
import { validatePassword } from "@/rules";
import { formFailure } from "./failures";
import { type FieldErrors, firstOfEach } from "./field-errors";

/** Validates the new password with the shared rules and sends it with the link's secret. */
export function useReset(form: { token: string; password: string; confirm_password: string }, onInvalid: () => void) {
  const { t } = useTranslation("auth");
  const errorText = useErrorText();
  const navigate = useNavigate();
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const { form: element, refused } = useInvalidFocus();

  const show = (violations: readonly BrokenRule[]): boolean => {
    const broken = firstOfEach(violations);
    setErrors(broken);
    refused();
    return Object.keys(broken).length > 0;
  };

  const fail = (error: unknown) => {
    setBusy(false);
    if (error instanceof ApiError && error.code === "reset_link_invalid") onInvalid();
    else if (!(error instanceof ApiError && error.code === "validation_failed" && show(error.violations))) setFailure(error);
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setFailure(null);
    if (show(validatePassword("reset", form.password, form.confirm_password))) return;
    setBusy(true);
    try {
      await resetPassword(form);
      // A current session, with the old password or of another user, is ended.
      await signOut();
      await navigate("/login", { replace: true, state: { passwordChanged: true } });
    } catch (error) {
      fail(error);
    }
  };

  const failureText = () => {
    if (failure === null) return null;
    const kind = formFailure(failure);
    return kind === "named" ? errorText(failure) : t(kind === "failed" ? "reset.failed" : "exception");
  };

  const clear = () => {
    setErrors({});
    setFailure(null);
  };

  return { element, errors, failure: failureText(), busy, clear, submit };
}
