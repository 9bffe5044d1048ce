/** Deletes jobs with ten seconds for undo, from any list. */
import { useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { beforeSignOut, type Job, onSessionEnd } from "@/api";
import { createDeletionQueue } from "@/api/deletion-queue";
import { deleteJobs, jobKeys } from "@/api/jobs";
import { titleOf } from "@/lib/job-title";
import { toast } from "@/lib/toast";
import { UNDO_MS } from "@/rules/constants";
import { useErrorText } from "./use-error-text";

const queue = createDeletionQueue(deleteJobs, UNDO_MS);

// The deletion survives the page and the session; the undo does not.
window.addEventListener("pagehide", queue.flush);
beforeSignOut(queue.flush);
onSessionEnd(queue.clear);

/** Ids hidden from lists because their deletion is pending. */
export const useDeletedJobs = (): ReadonlySet<string> => useSyncExternalStore(queue.subscribe, queue.hidden);

export function useUndoableDelete(): (...jobs: readonly Job[]) => void {
  const { t } = useTranslation(["transcripts", "common"]);
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  return (...jobs) => {
    const [first] = jobs;
    if (!first) return;
    const ids = jobs.map((job) => job.my_job_id);
    const single = { name: titleOf(first) || t("untitled") };
    const many = { count: jobs.length };
    let toastId: string | number | null = null;
    // Only the queue has the timer: "Undo" is shown exactly as long as it works.
    const waits = queue.schedule(
      ids,
      () => toastId !== null && toast.dismiss(toastId),
      async (error) => {
        if (error) {
          const reason = errorText(error);
          toast.error(jobs.length > 1 ? t("delete_many_failed", { ...many, reason }) : t("delete_failed", { ...single, reason }));
        }
        await queryClient.invalidateQueries({ queryKey: jobKeys.all });
      },
    );
    if (!waits) return;
    const text = jobs.length > 1 ? t("deleted_many", many) : t("deleted", single);
    toastId = toast.undoable(text, t("common:actions.undo"), () => queue.undo(ids));
  };
}
