/** What of the text's lines is selected: by the pointer, by Shift and arrows, or in the field that one writes in. */
import { SEGMENT_ATTRIBUTE } from "@/domain/transcript/segment-row";
import type { Piece } from "./anchor";

const TEXT = ".transcript-text";
const EDITOR_FIELD = "textarea[data-testid='segment-editor']";

const idOf = (element: Element): string => element.closest(`[${SEGMENT_ATTRIBUTE}]`)?.getAttribute(SEGMENT_ATTRIBUTE) ?? "";

/** The words of a line on the page; null while it is written in, or is not there. */
export const wordsOf = (row: Element): HTMLElement | null => row.querySelector<HTMLElement>(":scope > p.reading");

/** The selected part of each line, in order; the word with the reader's mark where nothing is selected. */
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

/** What is selected in the field that has the focus; its caret where nothing is. */
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
  const rows = row ? [row] : [...text.querySelectorAll(`[${SEGMENT_ATTRIBUTE}]`)].filter((one) => range.intersectsNode(one));
  return rows.flatMap((one) => {
    const words = wordsOf(one);
    if (!words || !range.intersectsNode(words)) {
      return [];
    }
    const piece = { segment: idOf(one), from: lettersTo(words, range, "start"), to: lettersTo(words, range, "end") };
    return piece.from < piece.to ? [piece] : [];
  });
}

/** Letters of a line before an end of the range, which may be before or behind the line. */
function lettersTo(words: HTMLElement, range: Range, end: "start" | "end"): number {
  const [node, offset] = end === "start" ? [range.startContainer, range.startOffset] : [range.endContainer, range.endOffset];
  const before = document.createRange();
  before.selectNodeContents(words);
  // Before the line it is 0, behind it the whole.
  const place = before.comparePoint(node, offset);
  if (place < 0) {
    return 0;
  }
  if (place === 0) {
    before.setEnd(node, offset);
  }
  return before.toString().length;
}

/** The letters of a line's words, as a range of the page; null where it has not so many. */
export function rangeOf(words: HTMLElement, from: number, to: number): Range | null {
  const range = document.createRange();
  const walker = document.createTreeWalker(words, NodeFilter.SHOW_TEXT);
  let at = 0;
  let begun = false;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const length = node.textContent?.length ?? 0;
    if (!begun && from < at + length) {
      range.setStart(node, from - at);
      begun = true;
    }
    if (begun && to <= at + length) {
      range.setEnd(node, to - at);
      return range;
    }
    at += length;
  }
  return null;
}
