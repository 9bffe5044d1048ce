import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError, verifyCode } from "@/api";
import { useErrorText } from "@/hooks/use-error-text";
import { useInvalidFocus } from "@/hooks/use-invalid-focus";
import { useViolationText } from "@/hooks/use-violation-text";
import { codeFailure } from "./failures";
import type { PendingSignup } from "./pending-signup";

/** Why no code is accepted any more. */
export type CodeRefusal = "expired" | "superseded";

/** Sends the code to the server and classifies the outcome. */
export function useVerify(signup: PendingSignup | null, code: string) {
  const { t } = useTranslation("auth");
  const errorText = useErrorText();
  const violationText = useViolationText();
  const [error, setError] = useState<unknown>(null);
  const [gone, setGone] = useState<CodeRefusal | null>(null);
  const [busy, setBusy] = useState(false);
  const { form: element, refused } = useInvalidFocus();
  const kind = error === null ? null : codeFailure(error);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (signup === null) return setGone("expired");
    setError(null);
    setBusy(true);
    try {
      // This route's guard redirects to the profile.
      await verifyCode(signup.registration, code, signup.remember);
    } catch (failed) {
      setBusy(false);
      setError(failed);
      const failure = codeFailure(failed);
      setGone(failure === "gone" ? "expired" : failure === "superseded" ? failure : null);
      refused();
    }
  };

  const fieldText = () => {
    const [broken] = error instanceof ApiError ? error.violations : [];
    return broken ? violationText(broken) : errorText(error);
  };

  return {
    element,
    fieldError: kind === "field" ? fieldText() : undefined,
    failure: kind === "named" ? errorText(error) : kind === "exception" ? t("exception") : null,
    gone,
    setGone,
    busy,
    clear: () => setError(null),
    submit,
  };
}
