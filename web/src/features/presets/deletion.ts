/** Deleting a preset, with ten seconds to undo. */
import { useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { beforeSignOut, onSessionEnd } from "@/api";
import { createDeletionQueue } from "@/api/deletion-queue";
import { deletePreset, type Preset, presetKeys } from "@/api/presets";
import { nameOf } from "@/domain/presets/preset-words";
import { useErrorText } from "@/hooks/use-error-text";
import { useLocale } from "@/hooks/use-locale";
import { toast } from "@/lib/toast";
import { UNDO_MS } from "@/rules/constants";

const queue = createDeletionQueue((ids, keepalive) => Promise.all(ids.map((id) => deletePreset(id, keepalive))), UNDO_MS);

// A deletion is carried out even if the page is closed or the session ends; undo is then impossible.
window.addEventListener("pagehide", queue.flush);
beforeSignOut(queue.flush);
onSessionEnd(queue.clear);

/** Ids hidden on the page because their deletion is pending. */
export const useDeletedPresets = (): ReadonlySet<string> => useSyncExternalStore(queue.subscribe, queue.hidden);

export function useDeletePreset(): (preset: Preset) => void {
  const { t } = useTranslation(["presets", "common"]);
  const errorText = useErrorText();
  const locale = useLocale();
  const queryClient = useQueryClient();
  return (preset) => {
    const { id } = preset;
    let toastId: string | number | null = null;
    // Only the queue has a timer, so "Undo" is shown exactly as long as it works.
    const waits = queue.schedule(
      [id],
      () => toastId !== null && toast.dismiss(toastId),
      async (error) => {
        if (error) toast.error(t("delete_failed", { name: nameOf(preset, locale), reason: errorText(error) }));
        await queryClient.invalidateQueries({ queryKey: presetKeys.all });
      },
    );
    if (waits) toastId = toast.undoable(t("deleted"), t("common:actions.undo"), () => queue.undo([id]));
  };
}
