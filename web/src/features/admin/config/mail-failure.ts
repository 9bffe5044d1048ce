/** Why a mail did not get out, by the server's stable names. */
import { MAIL_FAILURES } from "@/rules/constants";

/** The key of its text within `mail.failure`. */
export const mailFailure = (code: string): (typeof MAIL_FAILURES)[number] | "other" =>
  MAIL_FAILURES.find((known) => known === code) ?? "other";
