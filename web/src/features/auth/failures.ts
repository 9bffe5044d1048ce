/** Which of the specification's messages a failed request is told by. */
import { ApiError } from "@/api";

/** The server has answered: what it says is meant for the reader. Anything else is an exception. */
export const isAnswer = (error: unknown): error is ApiError => error instanceof ApiError && error.status > 0;

/** `named`: by the text of its own code; `failed`: the form's own words for any other refusal. */
type FailureKind = "exception" | "named" | "failed";

/** Of the forms that have words of their own: sign-up, a new password, the profile. */
export function formFailure(error: unknown): FailureKind {
  if (!isAnswer(error)) return "exception";
  return error.code === "rate_limited" ? "named" : "failed";
}

/** Of a sign-in: a refusal says what to check. */
export const loginFailure = (error: unknown): FailureKind => (isAnswer(error) ? "named" : "exception");

/**
 * Of a code that was given back: `field` stands at the code, `gone` means that there is no such sign-up any more, and
 * `superseded` that another one took its place.
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

/** Of another code that was asked for: `wait` names the seconds. */
export function resendFailure(error: unknown): "exception" | "failed" | "wait" | "gone" | "superseded" {
  if (!isAnswer(error)) return "exception";
  if (error.code === "registration_superseded") return "superseded";
  if (error.code === "registration_expired") return "gone";
  return error.code === "rate_limited" ? "wait" : "failed";
}
