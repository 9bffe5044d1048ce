/** Why a service was not reached, or has not taken what it was told. */
import { useTranslation } from "react-i18next";

const REASONS = [
  "http_status",
  "redirected",
  "timed_out",
  "no_connection",
  "not_http",
  "broken_off",
  "too_long",
  "refused_address",
  "refused_port",
  "refused_url",
] as const;

type Reason = (typeof REASONS)[number];

const isReason = (code: string): code is Reason => (REASONS as readonly string[]).includes(code);

/** The text for a code of the server, which may know more of them than this page. */
export function useReason(): (code: string | null, status: number | null) => string | null {
  const { t } = useTranslation("admin-webhooks");
  return (code, status) => {
    if (code === null) return null;
    return isReason(code) ? t(`reasons.${code}`, { status }) : t("reasons.other");
  };
}
