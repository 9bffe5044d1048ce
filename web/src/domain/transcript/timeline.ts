/**
 * The words of a transcript laid out by time, so that the word at any moment is found by binary search: the highlight
 * asks 60 times a second, and a long recording has 100,000 words.
 */
import { type ChangedRange, changedRange } from "./changed-range";
import type { SpokenSegment } from "./model";

export interface Timeline {
  /** Number of words. Words are numbered through the whole transcript. */
  readonly count: number;
  /** Start of each word in seconds, non-decreasing. */
  readonly starts: Float64Array;
  /** End of each word in seconds. */
  readonly ends: Float64Array;
  /** Position (not `index`) of the segment that holds the word. */
  readonly segmentOf: Uint32Array;
  /** Number of the first word of each segment, followed by `count`. */
  readonly firstWord: Uint32Array;
  /** Start of each segment in seconds, non-decreasing. */
  readonly segmentStarts: Float64Array;
}

/** How long a word stays marked after its end while no other has begun, in seconds: avoids flicker. */
export const HOLD_SECONDS = 0.3;

export function buildTimeline(segments: readonly SpokenSegment[]): Timeline {
  const { firstWord, segmentStarts } = placesOf(segments);
  const count = firstWord[segments.length] ?? 0;
  const starts = new Float64Array(count);
  const ends = new Float64Array(count);
  const segmentOf = new Uint32Array(count);
  let next = 0;
  let latest = 0;
  segments.forEach((segment, position) => {
    for (const word of segment.words) {
      // The search needs non-decreasing starts; overlapping words of two channels would break it otherwise.
      latest = Math.max(latest, word.start);
      starts[next] = latest;
      ends[next] = Math.max(latest, word.end);
      segmentOf[next] = position;
      next += 1;
    }
  });
  return { count, starts, ends, segmentOf, firstWord, segmentStarts };
}

/** What is known of the segments without reading their words. */
type Places = Pick<Timeline, "firstWord" | "segmentStarts">;

function placesOf(segments: readonly SpokenSegment[]): Places {
  const firstWord = new Uint32Array(segments.length + 1);
  const segmentStarts = new Float64Array(segments.length);
  let next = 0;
  let latest = 0;
  segments.forEach(({ start, words }, position) => {
    firstWord[position] = next;
    next += words.length;
    latest = Math.max(latest, start);
    segmentStarts[position] = latest;
  });
  firstWord[segments.length] = next;
  return { firstWord, segmentStarts };
}

/** The timeline after segments in a range were replaced by others with the same starts; null if a start differs. */
function placesAfter(
  old: Places,
  before: readonly SpokenSegment[],
  after: readonly SpokenSegment[],
  stretch: ChangedRange,
): Places | null {
  const { from, to } = stretch;
  let more = 0;
  const firstWord = old.firstWord.slice();
  for (let at = from; at < to; at += 1) {
    if (before[at]?.start !== after[at]?.start) {
      return null;
    }
    firstWord[at] = (old.firstWord[at] ?? 0) + more;
    more += (after[at]?.words.length ?? 0) - (before[at]?.words.length ?? 0);
  }
  if (more !== 0) {
    for (let at = to; at < firstWord.length; at += 1) {
      firstWord[at] = (old.firstWord[at] ?? 0) + more;
    }
  }
  return { firstWord, segmentStarts: old.segmentStarts };
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

/** Cache of timelines, by their segments. */
const known = new WeakMap<readonly SpokenSegment[], Timeline>();
/** The newest whose words are laid out: the next one is derived from it. */
let newest: { segments: readonly SpokenSegment[]; timeline: Timeline } | null = null;
/** The newest of all; its words may not have been laid out. */
let placed: { segments: readonly SpokenSegment[]; places: Places } | null = null;

/**
 * The cached timeline of these segments. The words are laid out when a time is first requested: reading or editing
 * without playback only needs their number. After an edit only the changed segments are laid out again:
 * the rest is copied, which for 100,000 words takes a millisecond.
 */
export function timelineOf(segments: readonly SpokenSegment[]): Timeline {
  let timeline = known.get(segments);
  if (!timeline) {
    timeline = laidOutLater(segments);
    known.set(segments, timeline);
  }
  return timeline;
}

function laidOutLater(segments: readonly SpokenSegment[]): Timeline {
  const stretch = placed && changedRange(placed.segments, segments);
  const places = (placed && stretch && placesAfter(placed.places, placed.segments, segments, stretch)) ?? placesOf(segments);
  placed = { segments, places };
  const { firstWord, segmentStarts } = places;
  let built: Timeline | null = null;
  const words = () => {
    built ??= (newest && changed(newest.segments, newest.timeline, segments)) ?? buildTimeline(segments);
    newest = { segments, timeline: built };
    return built;
  };
  return {
    count: firstWord[segments.length] ?? 0,
    firstWord,
    segmentStarts,
    get starts() {
      return (built ?? words()).starts;
    },
    get ends() {
      return (built ?? words()).ends;
    },
    get segmentOf() {
      return (built ?? words()).segmentOf;
    },
  };
}

/** The timeline after a range of segments was replaced; null if the number of segments changed. */
function changed(before: readonly SpokenSegment[], old: Timeline, segments: readonly SpokenSegment[]): Timeline | null {
  const stretch = changedRange(before, segments);
  if (!stretch) {
    return null;
  }
  const { from, to } = stretch;
  const part = buildTimeline(segments.slice(from, to));
  const head = old.firstWord[from] ?? old.count;
  const oldTail = old.firstWord[to] ?? old.count;
  const tail = head + part.count;
  const rises =
    (old.starts[head - 1] ?? 0) <= (part.starts[0] ?? 0) &&
    (part.starts[part.count - 1] ?? 0) <= (old.starts[oldTail] ?? Infinity);
  if (part.count === 0 || !rises) {
    return buildTimeline(segments);
  }
  const count = old.count - (oldTail - head) + part.count;
  const spliced = <Numbers extends Float64Array | Uint32Array>(target: Numbers, was: Numbers, replacement: Numbers): Numbers => {
    target.set(was.subarray(0, head));
    target.set(replacement, head);
    target.set(was.subarray(oldTail), tail);
    return target;
  };
  return {
    count,
    starts: spliced(new Float64Array(count), old.starts, part.starts),
    ends: spliced(new Float64Array(count), old.ends, part.ends),
    segmentOf: spliced(
      new Uint32Array(count),
      old.segmentOf,
      part.segmentOf.map((position) => position + from),
    ),
    ...placesOf(segments),
  };
}
