/**
 * Lays a segment's words over its text. The text is displayed letter for letter (also in languages without
 * spaces between words); the words only define which parts of it can be clicked.
 */
import { limits } from "@/rules";
import type { SpokenSegment } from "./model";

export interface Piece {
  text: string;
  /** Position of the word within the segment, or -1 for text between words. */
  word: number;
}

/** Words with a lower confidence are marked as unsure. */
export const LOW_CONFIDENCE = limits().unsure_below_percent / 100;

/** A match further ahead than this many characters is taken as another occurrence: the word is skipped. */
const MAX_GAP = 24;

export function layoutSegment(segment: Pick<SpokenSegment, "text" | "words">): Piece[] {
  const pieces: Piece[] = [];
  const text = segment.text;
  let at = 0;
  segment.words.forEach((word, position) => {
    const trimmed = word.text.trim();
    const index = trimmed === "" ? -1 : text.indexOf(trimmed, at);
    if (index < 0 || index - at > MAX_GAP) {
      return;
    }
    if (index > at) {
      pieces.push({ text: text.slice(at, index), word: -1 });
    }
    pieces.push({ text: trimmed, word: position });
    at = index + trimmed.length;
  });
  if (at < text.length) {
    pieces.push({ text: text.slice(at), word: -1 });
  }
  return pieces;
}
