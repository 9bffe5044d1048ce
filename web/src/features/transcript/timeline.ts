/**
 * The words of a transcript laid out by time, so that the word at any moment is found by binary search: the highlight
 * asks 60 times a second, and a long recording has 100,000 words.
 */
import type { Segment } from "./model";

export interface Timeline {
  /** Number of words. Words are numbered through the whole transcript. */
  readonly count: number;
  /** Start of each word in seconds, never falling. */
  readonly starts: Float64Array;
  /** End of each word in seconds. */
  readonly ends: Float64Array;
  /** Position (not `index`) of the segment that holds the word. */
  readonly segmentOf: Uint32Array;
  /** Number of the first word of each segment; one more entry at the end holds `count`. */
  readonly firstWord: Uint32Array;
  /** Start of each segment in seconds, never falling. */
  readonly segmentStarts: Float64Array;
}

/** How long a word stays marked after its end while no other has begun, in seconds: the mark must not flicker. */
export const HOLD_SECONDS = 0.3;

export function buildTimeline(segments: readonly Segment[]): Timeline {
  const count = segments.reduce((sum, segment) => sum + segment.words.length, 0);
  const starts = new Float64Array(count);
  const ends = new Float64Array(count);
  const segmentOf = new Uint32Array(count);
  const firstWord = new Uint32Array(segments.length + 1);
  const segmentStarts = new Float64Array(segments.length);
  let next = 0;
  let latest = 0;
  let latestSegment = 0;
  segments.forEach((segment, position) => {
    firstWord[position] = next;
    latestSegment = Math.max(latestSegment, segment.start);
    segmentStarts[position] = latestSegment;
    for (const word of segment.words) {
      // The search needs starts that never fall; overlapping words of two channels would break it otherwise.
      latest = Math.max(latest, word.start);
      starts[next] = latest;
      ends[next] = Math.max(latest, word.end);
      segmentOf[next] = position;
      next += 1;
    }
  });
  firstWord[segments.length] = next;
  return { count, starts, ends, segmentOf, firstWord, segmentStarts };
}

/** The last entry that is not greater than `value`, or -1. */
function lastNotAfter(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) <= value) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low - 1;
}

/** The word being spoken at `seconds`, or -1 in a pause. */
export function wordAt(timeline: Timeline, seconds: number): number {
  const word = lastNotAfter(timeline.starts, seconds);
  if (word < 0 || seconds > (timeline.ends[word] as number) + HOLD_SECONDS) {
    return -1;
  }
  return word;
}

/** The segment that has begun last at `seconds`, or -1 before the first. */
export function segmentAt(timeline: Timeline, seconds: number): number {
  return lastNotAfter(timeline.segmentStarts, seconds);
}
