import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "@/api";
import { type User, useDeleteAccount } from "@/api/account";
import { useErrorText } from "@/hooks/use-error-text";
import { useInvalidFocus } from "@/hooks/use-invalid-focus";
import { useViolationText } from "@/hooks/use-violation-text";
import { normalizeEmail } from "@/rules";

/** `proof` is the password, or the e-mail address of an account without a password. */
export function useAccountDeletion(user: User, proof: string) {
  const { t } = useTranslation(["settings", "problems"]);
  const violationText = useViolationText();
  const errorText = useErrorText();
  const remove = useDeleteAccount();
  const [wrong, setWrong] = useState<"missing" | "wrong" | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const { form: element, refused } = useInvalidFocus();
  const field = user.has_password ? "password" : "email";

  const refuse = (why: "missing" | "wrong") => {
    setWrong(why);
    refused();
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setFailure(null);
    setWrong(null);
    if (proof === "") return refuse("missing");
    if (field === "email" && normalizeEmail(proof) !== user.email) return refuse("wrong");
    try {
      // This ends the session: the guard of the page redirects to /login, which shows the reason.
      await remove.mutateAsync({ [field]: field === "email" ? normalizeEmail(proof) : proof });
    } catch (error) {
      if (error instanceof ApiError && (error.code === "wrong_password" || error.code === "validation_failed")) {
        refuse("wrong");
      } else {
        setFailure(error);
      }
    }
  };

  return {
    element,
    wrong: wrong === null ? undefined : wrongText(wrong),
    failure: failure === null ? null : failureText(failure),
    busy: remove.isPending,
    clear: () => {
      setWrong(null);
      setFailure(null);
    },
    submit,
  };

  function wrongText(why: "missing" | "wrong"): string {
    if (why === "missing") return violationText({ field, code: `${field}_required` });
    return field === "password" ? t("problems:codes.wrong_password") : t("delete.wrong_email");
  }

  function failureText(error: unknown): string {
    if (error instanceof ApiError && error.code === "last_admin") return t("delete.last_admin");
    return `${t("delete.failed")}. ${errorText(error)}`;
  }
}
