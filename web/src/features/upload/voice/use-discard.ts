/** Deleting a recording with ten seconds to think again. */
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { beforeSignOut, onSessionEnd } from "@/api";
import { createDeletionQueue } from "@/api/deletion-queue";
import { useErrorText } from "@/hooks/use-error-text";
import { toast } from "@/lib/toast";
import type { Offer } from "./offers";
import { theRecording } from "./the-recording";

const UNDO_MS = 10_000;

const uploadIds = new Map<string, string | null>();

const queue = createDeletionQueue(
  (ids, keepalive) =>
    Promise.all(ids.map((id) => theRecording.getState().remove({ id, uploadId: uploadIds.get(id) ?? null }, keepalive))),
  UNDO_MS,
);

// The wish to delete outlives the page and the session; the chance to undo does not.
window.addEventListener("pagehide", queue.flush);
beforeSignOut(queue.flush);
onSessionEnd(queue.clear);

/** Ids of recordings that are not offered, because their deletion is on its way. */
export const useDiscarded = (): ReadonlySet<string> => useSyncExternalStore(queue.subscribe, queue.hidden);

export function useDiscard(): (recording: Pick<Offer, "id" | "uploadId" | "filename">) => void {
  const { t } = useTranslation(["voice", "common"]);
  const errorText = useErrorText();
  return ({ id, uploadId, filename: name }) => {
    let shown: string | number | null = null;
    uploadIds.set(id, uploadId);
    const waits = queue.schedule(
      [id],
      () => shown !== null && toast.dismiss(shown),
      async (error) => {
        if (error) {
          toast.error(t("discardFailed", { name, reason: errorText(error) }));
        }
      },
    );
    if (waits) {
      shown = toast.undoable(t("discarded", { name }), t("common:actions.undo"), () => queue.undo([id]));
    }
  };
}
