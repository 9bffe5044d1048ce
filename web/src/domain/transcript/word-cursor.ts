/** Keyboard navigation of the words. The text is one tab stop; arrow keys move a cursor in it. */
import type { Timeline } from "./timeline";

/** Where this key moves the cursor, or null if the key is not a navigation key. */
export function moveCursor(timeline: Timeline, word: number, key: string): number | null {
  const last = timeline.count - 1;
  if (last < 0) {
    return null;
  }
  const at = Math.min(Math.max(word, 0), last);
  const segment = timeline.segmentOf[at] as number;
  switch (key) {
    case "ArrowRight":
      return Math.min(at + 1, last);
    case "ArrowLeft":
      return Math.max(at - 1, 0);
    case "ArrowDown":
      return Math.min(timeline.firstWord[segment + 1] as number, last);
    case "ArrowUp": {
      const first = timeline.firstWord[segment] as number;
      // The first word of the segment above: the one that the word before this segment belongs to.
      return at > first || first === 0 ? first : (timeline.firstWord[timeline.segmentOf[first - 1] as number] as number);
    }
    default:
      return null;
  }
}
