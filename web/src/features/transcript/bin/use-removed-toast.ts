/** A toast after a line was removed, with a button to restore it. */
import { useCallback, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { toast } from "@/lib/toast";
import type { DocumentStore } from "../document/document-store";
import type { SegmentRef } from "../document/model";

/** After this time the line can only be restored from the bin. */
const SHOWN_MS = 10_000;

export function useRemovedToast(document: DocumentStore): (line: SegmentRef) => void {
  const { t } = useTranslation(["editor", "common"]);
  const end = useRef<() => void>(() => {});
  useEffect(() => () => end.current(), []);
  return useCallback(
    (line: SegmentRef) => {
      end.current();
      const toastId = toast.undoable(t("editor:bin.removed"), t("common:actions.undo"), () => {
        end.current();
        document.actions.edit({ kind: "put_back", segments: [line] });
      });
      const clock = setTimeout(() => end.current(), SHOWN_MS);
      // If undone in another way, the toast is closed.
      const stop = document.subscribe(({ positions }) => positions.has(line.id) && end.current());
      end.current = () => {
        clearTimeout(clock);
        stop();
        toast.dismiss(toastId);
        end.current = () => {};
      };
    },
    [document, t],
  );
}
