/** Synchronises with the external database, and reports how the run started here has ended. */
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { presetKeys } from "@/api/presets";
import { useErrorText } from "@/hooks/use-error-text";
import { useNocodbHint } from "@/hooks/use-nocodb-hint";
import { useNocodbRun } from "@/hooks/use-nocodb-run";
import { toast } from "@/lib/toast";

export function useSync() {
  const { t } = useTranslation("admin-presets");
  const errorText = useErrorText();
  const hint = useNocodbHint();
  const queryClient = useQueryClient();
  const failed = (message: string | null) => toast.error(t("sync.failed", { message: message ?? "" }));
  return useNocodbRun({
    whose: "own",
    ended: ({ success, message }) => {
      if (success) toast.success(t("sync.done"));
      else failed(hint(message));
      void queryClient.invalidateQueries({ queryKey: presetKeys.all });
    },
    refused: (error) => failed(errorText(error)),
  });
}
