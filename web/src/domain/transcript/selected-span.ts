/** The time range of the selection in a text with numbered words. */
import { type Span, spanOf } from "./player-loop";
import { WORD_ATTRIBUTE } from "./spoken-word";
import type { Timeline } from "./timeline";

/** From the first to the last selected word; null if no word is selected. */
export function selectedSpan(selection: Selection | null, { starts, ends }: Pick<Timeline, "starts" | "ends">): Span | null {
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) {
    return null;
  }
  const range = selection.getRangeAt(0);
  const root = range.commonAncestorContainer;
  const scope = root instanceof Element ? root : root.parentElement;
  if (!scope) {
    return null;
  }
  const around = scope.closest(`[${WORD_ATTRIBUTE}]`);
  const words = (around ? [around] : [...scope.querySelectorAll(`[${WORD_ATTRIBUTE}]`)])
    .filter((word) => around !== null || range.intersectsNode(word))
    .map((word) => Number(word.getAttribute(WORD_ATTRIBUTE)));
  const from = starts[Math.min(...words)];
  const to = ends[Math.max(...words)];
  return from === undefined || to === undefined ? null : spanOf(from, to);
}
