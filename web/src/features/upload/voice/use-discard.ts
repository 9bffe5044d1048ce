/** Deleting a recording, with ten seconds to undo. */
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { beforeSignOut, onSessionEnd } from "@/api";
import { createDeletionQueue } from "@/api/deletion-queue";
import { useErrorText } from "@/hooks/use-error-text";
import { toast } from "@/lib/toast";
import { UNDO_MS } from "@/rules/constants";
import type { Offer } from "./offers";
import { theRecording } from "./the-recording";

const uploadIds = new Map<string, string | null>();

const queue = createDeletionQueue(
  (ids, keepalive) =>
    Promise.all(ids.map((id) => theRecording.getState().remove({ id, uploadId: uploadIds.get(id) ?? null }, keepalive))),
  UNDO_MS,
);

// A deletion is carried out even if the page is closed or the session ends; undo is then impossible.
window.addEventListener("pagehide", queue.flush);
beforeSignOut(queue.flush);
onSessionEnd(queue.clear);

/** Ids of recordings that are hidden because their deletion is pending. */
export const useDiscarded = (): ReadonlySet<string> => useSyncExternalStore(queue.subscribe, queue.hidden);

export function useDiscard(): (recording: Pick<Offer, "id" | "uploadId" | "filename">) => void {
  const { t } = useTranslation(["voice", "common"]);
  const errorText = useErrorText();
  return ({ id, uploadId, filename: name }) => {
    let toastId: string | number | null = null;
    uploadIds.set(id, uploadId);
    const waits = queue.schedule(
      [id],
      () => toastId !== null && toast.dismiss(toastId),
      async (error) => {
        if (error) {
          toast.error(t("discardFailed", { name, reason: errorText(error) }));
        }
      },
    );
    if (waits) {
      toastId = toast.undoable(t("discarded", { name }), t("common:actions.undo"), () => queue.undo([id]));
    }
  };
}
