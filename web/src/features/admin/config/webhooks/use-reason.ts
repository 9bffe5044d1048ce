/** Why a service could not be reached, or has not accepted an event. */
import { useTranslation } from "react-i18next";
import { WEBHOOK_FAILURES } from "@/rules/constants";

type Reason = (typeof WEBHOOK_FAILURES)[number];

const isReason = (code: string): code is Reason => (WEBHOOK_FAILURES as readonly string[]).includes(code);

/** The text for a code of the server; a newer server may have unknown codes. */
export function useReason(): (code: string | null, status: number | null) => string | null {
  const { t } = useTranslation("admin-webhooks");
  return (code, status) => {
    if (code === null) return null;
    return isReason(code) ? t(`reasons.${code}`, { status }) : t("reasons.other");
  };
}
