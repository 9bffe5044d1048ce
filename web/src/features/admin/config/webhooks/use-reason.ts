/** Why a service could not be reached, with what administrators can do about it. */
import { useTranslation } from "react-i18next";
import { isReason, type ReasonText, useReason } from "@/domain/webhooks/use-reason";

export function useServiceReason(): ReasonText {
  const { t } = useTranslation("admin-webhooks");
  const reason = useReason();
  return (code, status) => {
    if (code === "refused_address" || code === "refused_port") return t(`reasons.${code}`);
    return code === null || isReason(code) ? reason(code, status) : t("reasons.other");
  };
}
