/** Notes under segments: restored ones, and places behind them where speech was not recognised. */
import { Undo2 } from "lucide-react";
import { Suspense, useCallback, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { SpokenSegment } from "@/domain/transcript/model";
import type { Workspace } from "../workspace";
import { UnrecognisedNotes, useUnrecognised } from "./unrecognised-note";
import { useRemoved } from "./use-removed";

/** Renders the notes under a segment; a stable function as long as the passages and their places are the same. */
export function useSegmentNote(workspace: Workspace) {
  const passages = useRemoved(workspace);
  const unrecognised = useUnrecognised(workspace);
  const { job, document, player, editable, askAgain } = workspace;
  const page = useMemo(() => ({ job, document, player, editable, askAgain }), [job, document, player, editable, askAgain]);
  const ids = useMemo(() => new Set(passages.map(({ segment }) => segment)), [passages]);
  return useCallback(
    ({ id = "", speaker }: SpokenSegment) => {
      const behind = unrecognised.get(id);
      return behind || ids.has(id) ? (
        <>
          {ids.has(id) && (
            <Suspense fallback={null}>
              <BackNote />
            </Suspense>
          )}
          {behind && <UnrecognisedNotes passages={behind} before={speaker ?? null} page={page} />}
        </>
      ) : undefined;
    },
    [ids, unrecognised, page],
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
