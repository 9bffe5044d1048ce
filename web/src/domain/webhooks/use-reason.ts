/** Why a receiver could not be reached, or has not accepted a call. */
import { useTranslation } from "react-i18next";
import { WEBHOOK_FAILURES } from "@/rules/constants";

/** The codes that have a text: those of calls, and that a webhook's owner must not send any. */
const REASONS = [...WEBHOOK_FAILURES, "account_blocked", "api_not_in_plan", "gone", "turned_off"] as const;

type Reason = (typeof REASONS)[number];

/** The text for the code of an error and the status of the response, if there was one. */
export type ReasonText = (code: string | null, status: number | null) => string | null;

/** Whether this code has a text; a newer server may have unknown codes. */
export const isReason = (code: string): code is Reason => (REASONS as readonly string[]).includes(code);

/** In words for people who cannot change what the server permits. */
export function useReason(): ReasonText {
  const { t } = useTranslation("webhooks");
  return (code, status) => {
    if (code === null) return null;
    return isReason(code) ? t(`reasons.${code}`, { status }) : t("reasons.other");
  };
}
