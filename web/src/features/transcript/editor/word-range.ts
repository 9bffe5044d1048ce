import type { SpokenSegment } from "@/domain/transcript/model";
import { layoutSegment } from "@/domain/transcript/word-layout";

/** The UTF-16 range of a word in its segment's text; the start of the text if it is not found. */
export function wordRange(segment: Pick<SpokenSegment, "text" | "words">, word: number): { from: number; to: number } {
  let at = 0;
  for (const piece of layoutSegment(segment)) {
    if (piece.word === word) {
      return { from: at, to: at + piece.text.length };
    }
    at += piece.text.length;
  }
  return { from: 0, to: 0 };
}

/** The word at an offset: the one around it or directly before it; -1 between words. */
export function wordAtOffset(segment: Pick<SpokenSegment, "text" | "words">, offset: number): number {
  let at = 0;
  let before = -1;
  for (const { text, word } of layoutSegment(segment)) {
    const end = at + text.length;
    if (offset < end) {
      return word >= 0 ? word : offset === at ? before : -1;
    }
    before = word;
    at = end;
  }
  return before;
}
