/** Why a mail could not be sent, by the server's stable codes. */
import { MAIL_FAILURES } from "@/rules/constants";

/** Translation key within `mail.failure`. */
export const mailFailure = (code: string): (typeof MAIL_FAILURES)[number] | "other" =>
  MAIL_FAILURES.find((known) => known === code) ?? "other";
