/** Deleting a visitor's message, with ten seconds to undo. */
import { useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { beforeSignOut, onSessionEnd } from "@/api";
import { deleteMessage, messagesKey } from "@/api/admin-messages";
import { createDeletionQueue } from "@/api/deletion-queue";
import { useErrorText } from "@/hooks/use-error-text";
import { toast } from "@/lib/toast";
import { UNDO_MS } from "@/rules/constants";

const queue = createDeletionQueue((ids, keepalive) => Promise.all(ids.map((id) => deleteMessage(id, keepalive))), UNDO_MS);

// A deletion is carried out even if the page is closed or the session ends; undo is then impossible.
window.addEventListener("pagehide", queue.flush);
beforeSignOut(queue.flush);
onSessionEnd(queue.clear);

/** Ids hidden from the list because their deletion is pending. */
export const useDeletedMessages = (): ReadonlySet<string> => useSyncExternalStore(queue.subscribe, queue.hidden);

export function useDeleteMessage(): (id: string) => void {
  const { t } = useTranslation(["admin-messages", "common"]);
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  return (id) => {
    let toastId: string | number | null = null;
    // Only the queue has a timer, so "Undo" is shown exactly as long as it works.
    const waits = queue.schedule(
      [id],
      () => toastId !== null && toast.dismiss(toastId),
      async (error) => {
        if (error) toast.error(`${t("contact.delete_failed")}. ${errorText(error)}`);
        await queryClient.invalidateQueries({ queryKey: messagesKey });
      },
    );
    if (waits) toastId = toast.undoable(t("contact.deleted"), t("common:actions.undo"), () => queue.undo([id]));
  };
}
