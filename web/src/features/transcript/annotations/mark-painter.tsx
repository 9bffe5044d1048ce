/**
 * Draws highlights and bookmarks in the rendered rows. Highlights use the CSS Custom Highlight API of the browser,
 * without changes of words or layout, while rows mount and unmount. Browsers without the API only show the list.
 */
import { type RefObject, useCallback, useEffect, useRef } from "react";
import { onWordsRendered } from "@/domain/transcript/deferred-words";
import { SEGMENT_ATTRIBUTE } from "@/domain/transcript/segment-row";
import { ANNOTATION_COLOURS } from "@/rules/constants";
import type { Workspace } from "../workspace";
import type { AnchoredAnnotation, Piece } from "./anchor";
import type { Colour } from "./new-mark";
import { rangeOf, wordsOf } from "./selected-pieces";
import { useAnchored } from "./use-anchored";
import "./annotations.css";

const BOOKMARKED = "data-bookmarked";

/** Called by the rows after they were mounted or unmounted: the painter runs after the other listener. */
export function useRepaint(before: () => void) {
  const repaint = useRef<() => void>(() => {});
  const rendered = useCallback(() => {
    before();
    repaint.current();
  }, [before]);
  return { repaint, rendered };
}

interface MarkPainterProps {
  workspace: Workspace;
  text: RefObject<HTMLElement | null>;
  /** Called after rows were mounted or unmounted. */
  repaint: RefObject<() => void>;
}

export function MarkPainter({ workspace, text, repaint }: MarkPainterProps) {
  const marks = useAnchored(workspace);
  const painted = useRef(false);
  const { document: store } = workspace;

  useEffect(() => {
    let frame = 0;
    const paint = () => {
      if (text.current && (marks.length > 0 || painted.current)) {
        painted.current = marks.length > 0;
        paintMarks(text.current, marks, (line) => store.getState().segments[line]?.id);
      }
    };
    // At most once per frame.
    const soon = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(paint);
    };
    repaint.current = soon;
    soon();
    const stop = onWordsRendered(soon);
    return () => {
      stop();
      cancelAnimationFrame(frame);
      repaint.current = () => {};
    };
  }, [marks, store, text, repaint]);

  useEffect(() => () => clearHighlights(), []);
  return null;
}

const nameOf = (colour: Colour) => `mark-${colour}`;

/** Null in a browser without the API. */
const registry = () =>
  typeof CSS !== "undefined" && "highlights" in CSS && typeof Highlight === "function" ? CSS.highlights : null;

function clearHighlights(): void {
  for (const colour of ANNOTATION_COLOURS) {
    registry()?.delete(nameOf(colour));
  }
}

function paintMarks(text: HTMLElement, marks: readonly AnchoredAnnotation[], idOf: (line: number) => string | undefined): void {
  const bookmarks = new Map<string, Colour>();
  const pieces = new Map<string, (Piece & { colour: Colour })[]>();
  for (const { mark, line, pieces: markPieces } of marks) {
    const id = idOf(line);
    if (mark.kind === "bookmark" && id !== undefined) {
      bookmarks.set(id, mark.colour);
    }
    for (const piece of markPieces) {
      pieces.set(piece.segment, [...(pieces.get(piece.segment) ?? []), { ...piece, colour: mark.colour }]);
    }
  }
  const ranges = new Map<Colour, Range[]>();
  for (const row of text.querySelectorAll(`[${SEGMENT_ATTRIBUTE}]`)) {
    const id = row.getAttribute(SEGMENT_ATTRIBUTE) ?? "";
    const bookmark = bookmarks.get(id);
    if (bookmark) {
      row.setAttribute(BOOKMARKED, bookmark);
    } else {
      row.removeAttribute(BOOKMARKED);
    }
    const words = wordsOf(row);
    for (const { from, to, colour } of (words && pieces.get(id)) ?? []) {
      const range = words && rangeOf(words, from, to);
      if (range) {
        ranges.set(colour, [...(ranges.get(colour) ?? []), range]);
      }
    }
  }
  const highlights = registry();
  for (const colour of ANNOTATION_COLOURS) {
    const colourRanges = ranges.get(colour);
    if (colourRanges) {
      highlights?.set(nameOf(colour), new Highlight(...colourRanges));
    } else {
      highlights?.delete(nameOf(colour));
    }
  }
}
