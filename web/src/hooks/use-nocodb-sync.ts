/** Synchronisation with the external database, from any page that offers it. */
import { useTranslation } from "react-i18next";
import { formatNumber } from "@/lib/format";
import { toast } from "@/lib/toast";
import { useErrorText } from "./use-error-text";
import { useLocale } from "./use-locale";
import { useNocodbHint } from "./use-nocodb-hint";
import { useNocodbRun } from "./use-nocodb-run";

/** Starts a run, and reports how an observed one has ended. */
export function useNocodbSync() {
  const { t } = useTranslation("admin-nocodb");
  const locale = useLocale();
  const hint = useNocodbHint();
  const errorText = useErrorText();
  return useNocodbRun({
    whose: "every",
    ended: ({ success, message, stats: { jobs, outputs } }) => {
      if (success) {
        toast.success(t("sync_done", { jobs: formatNumber(jobs, locale), outputs: formatNumber(outputs, locale) }));
      } else {
        toast.error(t("sync_partial", { message: hint(message) ?? "" }));
      }
    },
    refused: (error) => toast.error(`${t("sync_failed")}. ${errorText(error)}`),
  });
}
