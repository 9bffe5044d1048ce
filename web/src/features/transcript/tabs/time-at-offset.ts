import { layoutSegment } from "@/domain/transcript/word-layout";
import type { EditedSegment } from "../document/model";

/** The time of the word at this UTF-16 offset, in seconds; the segment's start if words have no times. */
export function timeAtOffset(segment: Pick<EditedSegment, "start" | "text" | "words">, offset: number): number {
  let at = 0;
  let time = segment.start;
  for (const piece of layoutSegment(segment)) {
    if (at > offset) {
      break;
    }
    const word = segment.words[piece.word];
    if (word) {
      time = word.start;
    }
    at += piece.text.length;
  }
  return time;
}
