/** Deleting a result, with ten seconds to undo. */
import { useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { beforeSignOut, onSessionEnd } from "@/api";
import { analysisKey, removeAnalysis } from "@/api/analysis";
import { createDeletionQueue } from "@/api/deletion-queue";
import { useErrorText } from "@/hooks/use-error-text";
import { toast } from "@/lib/toast";
import { UNDO_MS } from "@/rules/constants";

/** The job of each pending deletion. */
const jobs = new Map<string, string>();

const queue = createDeletionQueue(
  (ids, keepalive) => Promise.all(ids.map((id) => removeAnalysis(jobs.get(id) ?? "", id, keepalive))),
  UNDO_MS,
);

window.addEventListener("pagehide", queue.flush);
beforeSignOut(queue.flush);
onSessionEnd(queue.clear);

/** Ids of results that are hidden because their deletion is pending. */
export const useRemovedAnalyses = (): ReadonlySet<string> => useSyncExternalStore(queue.subscribe, queue.hidden);

export function useUndoableRemoval(jobId: string): (analysis: string) => void {
  const { t } = useTranslation(["analysis", "common"]);
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  return (analysis) => {
    let toastId: string | number | null = null;
    jobs.set(analysis, jobId);
    const waits = queue.schedule(
      [analysis],
      () => toastId !== null && toast.dismiss(toastId),
      async (error) => {
        if (error) {
          toast.error(t("analysis:result.removeFailed", { reason: errorText(error) }));
        }
        await queryClient.invalidateQueries({ queryKey: analysisKey(jobId) });
      },
    );
    if (waits) {
      toastId = toast.undoable(t("analysis:result.removed"), t("common:actions.undo"), () => queue.undo([analysis]));
    }
  };
}
