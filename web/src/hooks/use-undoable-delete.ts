/** Deleting a job with ten seconds to think again, from any list. */
import { useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { beforeSignOut, type Job, onSessionEnd } from "@/api";
import { createDeletionQueue } from "@/api/deletion-queue";
import { deleteJob, jobKeys } from "@/api/jobs";
import { toast } from "@/lib/toast";
import { useErrorText } from "./use-error-text";

const UNDO_MS = 10_000;

const queue = createDeletionQueue(deleteJob, UNDO_MS);

// The wish to delete outlives the page and the session; the chance to undo does not.
window.addEventListener("pagehide", queue.flush);
beforeSignOut(queue.flush);
onSessionEnd(queue.clear);

/** Ids that lists leave out because their deletion is on its way. */
export const useDeletedJobs = (): ReadonlySet<string> => useSyncExternalStore(queue.subscribe, queue.hidden);

export function useUndoableDelete(): (job: Job) => void {
  const { t } = useTranslation(["transcripts", "common"]);
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  return ({ my_job_id: id, original_filename: name }) => {
    let shown: string | number | null = null;
    // The queue alone keeps the time: "Undo" is there exactly as long as it works.
    const waits = queue.schedule(
      id,
      () => shown !== null && toast.dismiss(shown),
      async (error) => {
        if (error) toast.error(t("delete_failed", { name, reason: errorText(error) }));
        await queryClient.invalidateQueries({ queryKey: jobKeys.all });
      },
    );
    if (waits) shown = toast.undoable(t("deleted", { name }), t("common:actions.undo"), () => queue.undo(id));
  };
}
