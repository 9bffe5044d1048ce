/** Starts held analyses of one recording, or of all of the reader's. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { analysisKey } from "@/api/analysis";
import { heldAnalysesQuery, runHeldAnalyses } from "@/api/held-analyses";
import { toast } from "@/lib/toast";
import { useErrorText } from "./use-error-text";

export function useRunHeld(job?: string): { run: () => void; busy: boolean } {
  const { t } = useTranslation("analysis");
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const running = useMutation({
    mutationFn: () => runHeldAnalyses(job),
    onSuccess: ({ queued }) => {
      if (queued > 0) toast.success(t("held.started", { count: queued }));
      else toast.error(t("held.nothing"));
    },
    onError: (error) => toast.error(t("result.askFailed", { reason: errorText(error) })),
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: heldAnalysesQuery().queryKey }),
        queryClient.invalidateQueries({ queryKey: job === undefined ? ["analysis"] : analysisKey(job) }),
        queryClient.invalidateQueries({ queryKey: ["jobs"] }),
      ]),
  });
  return { run: () => running.mutate(), busy: running.isPending };
}
