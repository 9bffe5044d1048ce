import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "@/api";
import { useChangePassword } from "@/api/account";
import { useErrorText } from "@/hooks/use-error-text";
import { useInvalidFocus } from "@/hooks/use-invalid-focus";
import { type BrokenRule, useViolationText } from "@/hooks/use-violation-text";
import { validatePassword } from "@/rules";

export const EMPTY = { current_password: "", password: "", confirm_password: "" };
type Form = typeof EMPTY;
export type PasswordField = keyof Form;

/** Validates the form with the shared rules, sends it, and assigns errors to fields. `onDone` empties the form. */
export function usePasswordChange(form: Form, onDone: () => void) {
  const { t } = useTranslation(["settings", "problems"]);
  const violationText = useViolationText();
  const errorText = useErrorText();
  const change = useChangePassword();
  const [broken, setBroken] = useState<readonly BrokenRule[]>([]);
  const [wrong, setWrong] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const [done, setDone] = useState(false);
  const { form: element, refused } = useInvalidFocus();

  const show = (violations: readonly BrokenRule[]): boolean => {
    setBroken(violations);
    if (violations.length > 0) refused();
    return violations.length > 0;
  };

  const fail = (error: unknown) => {
    if (error instanceof ApiError && error.code === "wrong_password") {
      setWrong(true);
      refused();
    } else if (!(error instanceof ApiError && show(error.violations))) {
      setFailure(error);
    }
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setWrong(false);
    setFailure(null);
    setDone(false);
    if (show(brokenRules(form))) return;
    try {
      await change.mutateAsync(form);
      setDone(true);
      onDone();
    } catch (error) {
      fail(error);
    }
  };

  return {
    element,
    errorOf: (field: PasswordField) => {
      if (field === "current_password" && wrong) return t("problems:codes.wrong_password");
      const brokenRule = broken.find((rule) => rule.field === field);
      return brokenRule && violationText(brokenRule);
    },
    failure: failure === null ? null : `${t("password.failed")}. ${errorText(failure)}`,
    busy: change.isPending,
    done,
    clear: (field: PasswordField) => {
      // The check of the repeated password depends on both fields.
      const stale = field === "password" ? ["password", "confirm_password"] : [field];
      setBroken(broken.filter((rule) => !stale.includes(rule.field)));
      if (field === "current_password") setWrong(false);
      setFailure(null);
      setDone(false);
    },
    submit,
  };
}

/** The current password can only be checked by the server. */
function brokenRules(form: Form): BrokenRule[] {
  const missing = form.current_password === "";
  return [
    ...(missing ? [{ field: "current_password", code: "password_required" }] : []),
    ...validatePassword("change", form.password, form.confirm_password),
  ];
}
