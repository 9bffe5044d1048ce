/** The cues of the whole text, and their exceeded limits. */

import {
  charactersPerSecond,
  firstsOfCues,
  type OverLimit,
  overLimits,
  type SegmentCue,
  segmentCues,
  subtitleLimits,
  textColumns,
} from "@/rules/text";
import type { EditedSegment, Speaker } from "../document/model";

/** A cue with its origin. */
export interface PlacedCue extends Omit<SegmentCue, "segment"> {
  segment: EditedSegment;
  /** The cue's index in its segment, and the number of cues there. */
  part: number;
  parts: number;
}

/** The text from which the cues are made. */
export interface CueText {
  segments: readonly EditedSegment[];
  speakers: readonly Speaker[];
  /** End of the recording in seconds; 0 if unknown. */
  duration: number;
}

/** Cues of segments that are timed together, with their input. */
interface TimedCues {
  /** By segment. */
  cues: readonly PlacedCue[][];
  /** All of them, in order of time. */
  order: readonly PlacedCue[];
  segments: readonly EditedSegment[];
  speakers: readonly Speaker[];
  before: string | undefined;
  next: number | undefined;
  duration: number;
}

/** Lists are never changed in place, so results can be cached: the first segments of blocks that are timed together. */
const places = new WeakMap<readonly EditedSegment[], Uint32Array>();
/** A segment is the same object as long as it is unchanged, so its cues can be cached. */
const known = new WeakMap<EditedSegment, TimedCues>();

/** The cues of the segment at an index, the same as in exported files. */
export function cuesAt(text: CueText, at: number): PlacedCue[] {
  const [first, end] = blockOf(text, at);
  return timedCuesOf(text, first, end).cues[at - first] ?? [];
}

/** The block of segments timed together with the one at an index: index of the first, and of the one after the last. */
export function blockOf({ segments }: CueText, at: number): [first: number, end: number] {
  const firsts = firstsOf(segments);
  const block = lastUpTo(firsts, at);
  const first = firsts[block];
  return first === undefined ? [0, 0] : [first, firsts[block + 1] ?? segments.length];
}

function firstsOf(segments: readonly EditedSegment[]): Uint32Array {
  const cached = places.get(segments);
  if (cached) return cached;
  const spans = Float64Array.from(segments.flatMap(({ start, end }) => [start, end]));
  // Manual cues may be outside of their line's times.
  const byHand = segments.flatMap(({ cues }, at) => {
    const [one, last] = [cues?.[0], cues?.at(-1)];
    return one && last ? [at, one.start, last.end] : [];
  });
  const firsts = firstsOfCues(spans, Float64Array.from(byHand));
  places.set(segments, firsts);
  return firsts;
}

/** Index of the last of these increasing numbers that is not above the given one; -1 if there is none. */
function lastUpTo(numbers: Uint32Array, most: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) <= most) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

const NONE: TimedCues = { cues: [], order: [], segments: [], speakers: [], before: undefined, next: undefined, duration: 0 };

/** The context of segments that are timed together: the previous speaker, and the start of the next segment. */
export const blockContext = ({ segments }: CueText, first: number, end: number) => ({
  before: speakerBefore(segments, first),
  next: beginOf(segments[end]),
});

/** The cues of segments that are timed together. */
function timedCuesOf(text: CueText, first: number, end: number): TimedCues {
  const { segments, speakers, duration } = text;
  const together = segments.slice(first, end);
  const [head] = together;
  if (!head) return NONE;
  const { before, next } = blockContext(text, first, end);
  const cached = known.get(head);
  if (
    cached &&
    cached.speakers === speakers &&
    cached.before === before &&
    cached.next === next &&
    cached.duration === duration &&
    sameItems(cached.segments, together)
  ) {
    return cached;
  }
  const timed = segmentCues(together, [...speakers], first === 0, before, next, duration);
  const cues = together.map((segment, at) => {
    const ownCues = timed.filter((cue) => cue.segment === at);
    const placed = ownCues.map((cue, part) => ({ ...cue, segment, part, parts: ownCues.length }));
    const old = cached?.cues[cached.segments.indexOf(segment)];
    // Unchanged cues stay the same objects, so that their rows are not rendered again.
    return old && sameCues(old, placed) ? old : placed;
  });
  const parts = together.map(() => 0);
  const order = timed.flatMap((cue) => {
    const part = parts[cue.segment] ?? 0;
    parts[cue.segment] = part + 1;
    return cues[cue.segment]?.[part] ?? [];
  });
  const result: TimedCues = { cues, order, segments: together, speakers, before, next, duration };
  known.set(head, result);
  return result;
}

/** When a segment begins for timing: its start, or an earlier manual cue. */
const beginOf = (segment: EditedSegment | undefined): number | undefined =>
  segment && Math.min(segment.start, segment.cues?.[0]?.start ?? segment.start);

/** The cue of a segment at a moment: the last one that has started, or the first one. */
export const cueAt = (cues: readonly PlacedCue[], seconds: number): PlacedCue | undefined =>
  cues.findLast(({ start }) => start <= seconds) ?? cues[0];

/** The speaker of the last non-empty segment before an index. */
function speakerBefore(segments: readonly EditedSegment[], position: number): string | undefined {
  for (let at = position - 1; at >= 0; at -= 1) {
    const segment = segments[at];
    if (segment && segment.text.trim() !== "") return segment.speaker ?? undefined;
  }
  return undefined;
}

const sameItems = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((item, at) => item === b[at]);

const sameCues = (a: readonly PlacedCue[], b: readonly PlacedCue[]): boolean =>
  a.length === b.length &&
  a.every((one, at) => {
    const other = b[at];
    return (
      other !== undefined &&
      one.segment === other.segment &&
      one.start === other.start &&
      one.end === other.end &&
      one.head === other.head &&
      sameItems(one.lines, other.lines)
    );
  });

export interface CueFigures {
  /** Characters per second. */
  speed: number;
  /** Width of each line in columns. */
  columns: number[];
  tooFast: boolean;
  tooWide: boolean;
  tooTall: boolean;
}

/** The figures of a text shown for so many seconds, preceded by the speaker (`head`). */
export function figuresOf(lines: readonly string[], seconds: number, head = ""): CueFigures {
  const limits = subtitleLimits();
  const speed = charactersPerSecond(head + lines.join(" "), seconds);
  const columns = lines.map((line, at) => textColumns(at === 0 ? head + line : line));
  return {
    speed,
    columns,
    tooFast: speed > limits.max_cps,
    tooWide: columns.some((width) => width > limits.max_columns),
    tooTall: lines.length > limits.max_lines,
  };
}

/** The offset at which the segment is split before a cue, in Unicode scalar values. */
export const splitOffset = ({ segment, from }: PlacedCue): number => [...segment.text.slice(0, from).trimEnd()].length;

/** The label of a cue: the number of its line, with its own number if the line has several. */
export function cueNumber({ segment, part, parts }: PlacedCue, positions: ReadonlyMap<string, number>): string {
  const line = (positions.get(segment.id) ?? 0) + 1;
  return parts > 1 ? `${line}.${part + 1}` : String(line);
}

/** A cue with its exceeded limits. */
export interface OverLimitCue {
  cue: PlacedCue;
  findings: readonly OverLimit[];
}

/** Results for cues that are timed together, by the end of the previous cue. */
const looked = new WeakMap<TimedCues, { ends: number | undefined; over: OverLimitCue[] }>();

/** The cues of the segment at an index that exceed limits. */
export function overLimitsAt(text: CueText, at: number): OverLimitCue[] {
  const segment = text.segments[at];
  const [first, end] = blockOf(text, at);
  return segment ? overOf(text, first, end).filter(({ cue }) => cue.segment === segment) : [];
}

function overOf(text: CueText, first: number, end: number): OverLimitCue[] {
  const timed = timedCuesOf(text, first, end);
  const ends = endBefore(text, first);
  const cached = looked.get(timed);
  if (cached && cached.ends === ends) {
    return cached.over;
  }
  // The gap to the previous cue is checked together with it.
  const before = ends === undefined ? [] : [{ start: ends, end: ends, head: "", lines: [] }];
  const findings = overLimits(
    [...before, ...timed.order.map(({ start, end, head, lines }) => ({ start, end, head, lines }))],
    subtitleLimits(),
  );
  const over = timed.order.flatMap((cue, index) => {
    const its = findings.filter((finding) => finding.cue === index + before.length);
    return its.length > 0 ? [{ cue, findings: its }] : [];
  });
  looked.set(timed, { ends, over });
  return over;
}

/** The end of the last cue before a block of segments that are timed together. */
export function endBefore(text: CueText, first: number): number | undefined {
  for (let at = first - 1; at >= 0; ) {
    const [from, end] = blockOf(text, at);
    const { order } = timedCuesOf(text, from, end);
    if (order.length > 0) {
      return order.reduce((last, cue) => Math.max(last, cue.end), 0);
    }
    at = from - 1;
  }
  return undefined;
}
