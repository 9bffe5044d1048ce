/** The result of a test as text, in the wording of the specification. */
import { useTranslation } from "react-i18next";
import type { WebhookTestResult } from "@/api/admin-webhooks";
import { toast } from "@/lib/toast";

export function useTestWords(): (result: WebhookTestResult) => void {
  const { t } = useTranslation("admin-webhooks");
  return ({ name, working, status }) => {
    if (working) toast.success(t("tested.works", { name }));
    else if (status !== null) toast.error(t("tested.error", { name, status }));
    else toast.error(t("tested.unavailable", { name }));
  };
}
