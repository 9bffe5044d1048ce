/** The selected parts of lines: selected by pointer, by Shift and arrow keys, or in the editor's field. */
import { SEGMENT_ATTRIBUTE } from "@/domain/transcript/segment-row";
import type { Piece } from "./anchor";

const TEXT = ".transcript-text";
const EDITOR_FIELD = "textarea[data-testid='segment-editor']";

const idOf = (element: Element): string => element.closest(`[${SEGMENT_ATTRIBUTE}]`)?.getAttribute(SEGMENT_ATTRIBUTE) ?? "";

/** The element with the words of a line; null while it is being edited or is not rendered. */
export const wordsOf = (row: Element): HTMLElement | null => row.querySelector<HTMLElement>(":scope > p.reading");

/** The selected part of each line, in order; without a selection, the word at the reader's cursor. */
export function selectedPieces(): Piece[] {
  const field = pieceOfField();
  if (field) {
    return field.from < field.to ? [field] : [];
  }
  const selection = getSelection();
  if (selection && !selection.isCollapsed && selection.rangeCount > 0) {
    return piecesOfRange(selection.getRangeAt(0));
  }
  const text = document.activeElement?.closest(TEXT);
  const word = text?.querySelector(".transcript-word[data-cursor]");
  if (!text || !word) {
    return [];
  }
  const range = document.createRange();
  range.selectNodeContents(word);
  return piecesOfRange(range);
}

/** The selection or the caret in the focused field. */
function pieceOfField(): Piece | null {
  const field = document.activeElement;
  if (!(field instanceof HTMLTextAreaElement) || !field.matches(EDITOR_FIELD)) {
    return null;
  }
  const skipped = field.value.length - field.value.trimStart().length;
  const at = (letter: number) => Math.max(0, letter - skipped);
  return { segment: idOf(field), from: at(field.selectionStart), to: at(field.selectionEnd) };
}

function piecesOfRange(range: Range): Piece[] {
  const common = range.commonAncestorContainer;
  const scope = common instanceof Element ? common : common.parentElement;
  const text = scope?.closest(TEXT) ?? scope?.querySelector(TEXT);
  const row = scope?.closest(`[${SEGMENT_ATTRIBUTE}]`);
  if (!text) {
    return [];
  }
  const rows = row
    ? [row]
    : [...text.querySelectorAll(`[${SEGMENT_ATTRIBUTE}]`)].filter((element) => range.intersectsNode(element));
  return rows.flatMap((segmentRow) => {
    const words = wordsOf(segmentRow);
    if (!words || !range.intersectsNode(words)) {
      return [];
    }
    const piece = { segment: idOf(segmentRow), from: lettersTo(words, range, "start"), to: lettersTo(words, range, "end") };
    return piece.from < piece.to ? [piece] : [];
  });
}

/** UTF-16 offset of an end of the range in a line; the end may be before or after the line. */
function lettersTo(words: HTMLElement, range: Range, end: "start" | "end"): number {
  const [node, offset] = end === "start" ? [range.startContainer, range.startOffset] : [range.endContainer, range.endOffset];
  const before = document.createRange();
  before.selectNodeContents(words);
  // 0 if it is before the line, the length if it is after it.
  const place = before.comparePoint(node, offset);
  if (place < 0) {
    return 0;
  }
  if (place === 0) {
    before.setEnd(node, offset);
  }
  return before.toString().length;
}

/** Converts UTF-16 offsets in a line to a DOM range; null if they are out of range. */
export function rangeOf(words: HTMLElement, from: number, to: number): Range | null {
  const range = document.createRange();
  const walker = document.createTreeWalker(words, NodeFilter.SHOW_TEXT);
  let at = 0;
  let started = false;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const length = node.textContent?.length ?? 0;
    if (!started && from < at + length) {
      range.setStart(node, from - at);
      started = true;
    }
    if (started && to <= at + length) {
      range.setEnd(node, to - at);
      return range;
    }
    at += length;
  }
  return null;
}
