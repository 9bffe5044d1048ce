/** A note under a segment that the engine had removed and somebody restored. */
import { Undo2 } from "lucide-react";
import { Suspense, useCallback, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { SpokenSegment } from "@/domain/transcript/model";
import type { Workspace } from "../workspace";
import { useRemoved } from "./use-removed";

/** Renders the note under a segment; a stable function as long as the removed passages are the same. */
export function useRestoredNote(workspace: Workspace) {
  const passages = useRemoved(workspace);
  const ids = useMemo(() => new Set(passages.map(({ segment }) => segment)), [passages]);
  return useCallback(
    ({ id = "" }: SpokenSegment) =>
      ids.has(id) ? (
        <Suspense fallback={null}>
          <BackNote />
        </Suspense>
      ) : undefined,
    [ids],
  );
}

function BackNote() {
  const { t } = useTranslation("removed");
  return (
    <p className="flex items-center gap-1.5 text-xs text-ink-soft" data-testid="brought-back">
      <Undo2 aria-hidden="true" className="size-3.5 shrink-0" />
      {t("mark")}
    </p>
  );
}
