/** Why a mail did not get out, by the server's stable names. */
const FAILURES = ["address", "unwritable", "unreachable", "sign_in", "refused", "postponed", "timed_out", "outbox"] as const;

/** The key of its text within `mail.failure`. */
export const mailFailure = (code: string): (typeof FAILURES)[number] | "other" =>
  FAILURES.find((known) => known === code) ?? "other";
