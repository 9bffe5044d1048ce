/** Actions on the selected words, right below them. There are keyboard shortcuts for the same. */
import { Bookmark, Highlighter, RotateCw } from "lucide-react";
import { type RefObject, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import { selectedSpan } from "@/domain/transcript/selected-span";
import { timelineOf } from "@/domain/transcript/timeline";
import { segmentOf } from "../document/apply";
import { timeAtOffset } from "../tabs/time-at-offset";
import type { Workspace } from "../workspace";
import { selectedPieces } from "./selected-pieces";

interface Place {
  left: number;
  top: number;
}

interface SelectionBarProps {
  workspace: Workspace;
  text: RefObject<HTMLElement | null>;
}

/** Space below the words, also for the selection handles of touch screens. */
const GAP_PX = 12;

export function SelectionBar({ workspace, text }: SelectionBarProps) {
  const { t } = useTranslation("editor");
  const { annotations, document: store } = workspace;
  const place = useSelectionPlace(text, annotations !== null);
  if (!annotations || !place) {
    return null;
  }
  const bookmark = () => {
    const [piece] = selectedPieces();
    const line = piece && segmentOf(store.getState(), piece.segment);
    if (piece && line) {
      annotations.bookmark(timeAtOffset(line, piece.from));
      getSelection()?.removeAllRanges();
    }
  };
  const recogniseAgain = () => {
    const span = selectedSpan(getSelection(), timelineOf(store.getState().segments));
    if (span) {
      workspace.askAgain({ start: span.from, end: span.to });
    }
  };
  return (
    <div
      role="toolbar"
      aria-label={t("annotations.bar")}
      // Keeps the words selected.
      onMouseDown={(event) => event.preventDefault()}
      style={place}
      // As wide as its buttons, not as the space that its left edge leaves; on a phone, without icons, they fit in one row.
      className="absolute z-20 flex w-max max-w-full -translate-x-1/2 flex-wrap justify-center gap-1 rounded border border-rule-strong bg-paper-raised p-1 shadow-sheet max-sm:[&_button]:px-2 max-sm:[&_svg]:hidden print:hidden"
    >
      <Button size="small" look="quiet" onClick={annotations.highlight}>
        <Highlighter aria-hidden="true" />
        {t("annotations.highlight")}
      </Button>
      <Button size="small" look="quiet" onClick={bookmark}>
        <Bookmark aria-hidden="true" />
        {t("annotations.bookmark")}
      </Button>
      {workspace.editable && (
        <Button size="small" look="quiet" onClick={recogniseAgain}>
          <RotateCw aria-hidden="true" />
          {t("annotations.recogniseAgain")}
        </Button>
      )}
    </div>
  );
}

/** Half of the bar's width and a little more, so that it stays within the text. */
const HALF_PX = 225;

/** The end of the text's selection, relative to the text; null if nothing in it is selected. */
function useSelectionPlace(text: RefObject<HTMLElement | null>, enabled: boolean): Place | null {
  const [place, setPlace] = useState<Place | null>(null);
  useEffect(() => {
    if (!enabled) {
      return;
    }
    let frame = 0;
    const look = () => {
      const selection = getSelection();
      const container = text.current;
      const range = selection && selection.rangeCount > 0 && !selection.isCollapsed ? selection.getRangeAt(0) : null;
      if (!range || !container?.contains(range.commonAncestorContainer) || range.toString().trim() === "") {
        setPlace(null);
        return;
      }
      const last = [...range.getClientRects()].at(-1);
      const { left, top, width } = container.getBoundingClientRect();
      const middle = last ? last.right - left : width / 2;
      const half = Math.min(HALF_PX, width / 2);
      setPlace({
        left: Math.min(Math.max(middle, half), width - half),
        top: (last?.bottom ?? top) - top + GAP_PX,
      });
    };
    const soon = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(look);
    };
    document.addEventListener("selectionchange", soon);
    return () => {
      document.removeEventListener("selectionchange", soon);
      cancelAnimationFrame(frame);
    };
  }, [text, enabled]);
  return place;
}
