/** Selects the specification's message for a failed request. */
import { ApiError } from "@/api";

/** The server has answered, so its message is meant for the reader. Other errors are exceptions. */
export const isAnswer = (error: unknown): error is ApiError => error instanceof ApiError && error.status > 0;

/** `named`: the text of its own code; `failed`: the form's general text. */
type FailureKind = "exception" | "named" | "failed";

/** For forms with a general text: sign-up, a new password, the profile. */
export function formFailure(error: unknown): FailureKind {
  if (!isAnswer(error)) return "exception";
  return error.code === "rate_limited" ? "named" : "failed";
}

/** For a sign-in: a refusal tells what to check. */
export const loginFailure = (error: unknown): FailureKind => (isAnswer(error) ? "named" : "exception");

/**
 * For an entered code: `field` is shown at the code, `gone` means that the registration no longer exists, and
 * `superseded` that another one has replaced it.
 */
export function codeFailure(error: unknown): "exception" | "named" | "field" | "gone" | "superseded" {
  if (!isAnswer(error)) return "exception";
  switch (error.code) {
    case "registration_expired":
      return "gone";
    case "registration_superseded":
      return "superseded";
    case "invalid_code":
    case "code_expired":
    case "validation_failed":
      return "field";
    default:
      return "named";
  }
}

/** For a requested code: `wait` includes the seconds. */
export function resendFailure(error: unknown): "exception" | "failed" | "wait" | "gone" | "superseded" {
  if (!isAnswer(error)) return "exception";
  if (error.code === "registration_superseded") return "superseded";
  if (error.code === "registration_expired") return "gone";
  return error.code === "rate_limited" ? "wait" : "failed";
}
