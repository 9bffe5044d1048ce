import { layoutSegment } from "@/domain/transcript/word-layout";
import type { EditedSegment } from "../document/model";

/** When the word with this letter (UTF-16) of the text is said, in seconds; the segment's start where words have no times. */
export function timeOfLetter(segment: Pick<EditedSegment, "start" | "text" | "words">, letter: number): number {
  let at = 0;
  let time = segment.start;
  for (const piece of layoutSegment(segment)) {
    if (at > letter) {
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
