import type { SpokenSegment } from "@/domain/transcript/model";
import { layoutSegment } from "@/domain/transcript/word-layout";

/** Where a word of a segment stands in its text, in UTF-16 units; the start of the text for a word that is not in it. */
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

/** The word of a segment that a place in its text belongs to: the one that it is in or right behind; -1 between words. */
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
