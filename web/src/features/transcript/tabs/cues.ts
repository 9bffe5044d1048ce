/** The cues of the whole text, and their exceeded limits. */

import {
  charactersPerSecond,
  cueGroupStarts,
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
  /** End of the last one in seconds; undefined if there are none. */
  ends: number | undefined;
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
/** Cues that are known to be those of a list, by the index of their first segment. */
const current = new WeakMap<readonly EditedSegment[], Map<number, TimedCues>>();

/** The cues of the segment at an index, the same as in exported files. */
export function cuesAt(text: CueText, at: number): PlacedCue[] {
  const [first, end] = blockOf(text, at);
  return timedCuesOf(text, first, end).cues[at - first] ?? [];
}

/** The block of segments timed together with the one at an index: index of the first, and of the one after the last. */
export function blockOf({ segments }: CueText, at: number): [first: number, end: number] {
  const starts = groupStarts(segments);
  const block = lastUpTo(starts, at);
  const first = starts[block];
  return first === undefined ? [0, 0] : [first, starts[block + 1] ?? segments.length];
}

function groupStarts(segments: readonly EditedSegment[]): Uint32Array {
  const cached = places.get(segments);
  if (cached) return cached;
  const spans = Float64Array.from(segments.flatMap(({ start, end }) => [start, end]));
  // Manual cues may be outside of their line's times.
  const byHand = segments.flatMap(({ cues }, at) => {
    const [one, last] = [cues?.[0], cues?.at(-1)];
    return one && last ? [at, one.start, last.end] : [];
  });
  const starts = cueGroupStarts(spans, Float64Array.from(byHand));
  places.set(segments, starts);
  return starts;
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

const NONE: TimedCues = {
  cues: [],
  order: [],
  ends: undefined,
  segments: [],
  speakers: [],
  before: undefined,
  next: undefined,
  duration: 0,
};

/** The context of segments that are timed together: the previous speaker, and the start of the next segment. */
export const blockContext = ({ segments }: CueText, first: number, end: number) => ({
  before: speakerBefore(segments, first),
  next: beginOf(segments[end]),
});

/**
 * The cues of segments that are timed together. A text without pauses is one such block, so calls for each of its segments
 * must not look at all of them.
 */
function timedCuesOf(text: CueText, first: number, end: number): TimedCues {
  const { segments, speakers, duration } = text;
  const ofList = current.get(segments) ?? new Map<number, TimedCues>();
  current.set(segments, ofList);
  const ready = ofList.get(first);
  if (ready && ready.speakers === speakers && ready.duration === duration) return ready;
  const timed = newTimedCues(text, first, end);
  ofList.set(first, timed);
  return timed;
}

/** The cached cues of segments if nothing that they depend on has changed, else new ones. */
function newTimedCues(text: CueText, first: number, end: number): TimedCues {
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
  const placed = placedCues(together, segmentCues(together, [...speakers], first === 0, before, next, duration), cached);
  const result: TimedCues = { ...placed, segments: together, speakers, before, next, duration };
  known.set(head, result);
  return result;
}

/** The cues by segment and in order of time. Unchanged ones stay the same objects, so that their rows are not rendered again. */
function placedCues(
  segments: readonly EditedSegment[],
  timed: readonly SegmentCue[],
  old: TimedCues | undefined,
): Pick<TimedCues, "cues" | "order" | "ends"> {
  const bySegment = segments.map((): SegmentCue[] => []);
  for (const cue of timed) bySegment[cue.segment]?.push(cue);
  const oldCues = new Map(old?.segments.map((segment, at) => [segment, old.cues[at]]));
  const cues = segments.map((segment, at) => {
    const own = bySegment[at] ?? [];
    const placed = own.map((cue, part) => ({ ...cue, segment, part, parts: own.length }));
    const before = oldCues.get(segment);
    return before && sameCues(before, placed) ? before : placed;
  });
  const parts = segments.map(() => 0);
  const order = timed.flatMap((cue) => {
    const part = parts[cue.segment] ?? 0;
    parts[cue.segment] = part + 1;
    return cues[cue.segment]?.[part] ?? [];
  });
  const ends = order.length > 0 ? order.reduce((last, cue) => Math.max(last, cue.end), 0) : undefined;
  return { cues, order, ends };
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

/** Cues that exceed limits, by segment. */
type OverLimitCues = ReadonlyMap<EditedSegment, readonly OverLimitCue[]>;

/** Results for cues that are timed together, by the end of the previous cue. */
const looked = new WeakMap<TimedCues, { ends: number | undefined; over: OverLimitCues }>();

/** The cues of the segment at an index that exceed limits. */
export function overLimitsAt(text: CueText, at: number): readonly OverLimitCue[] {
  const segment = text.segments[at];
  const [first, end] = blockOf(text, at);
  return (segment && overOf(text, first, end).get(segment)) ?? [];
}

function overOf(text: CueText, first: number, end: number): OverLimitCues {
  const timed = timedCuesOf(text, first, end);
  const ends = endBefore(text, first);
  const cached = looked.get(timed);
  if (cached && cached.ends === ends) {
    return cached.over;
  }
  const over = newOverLimits(timed.order, ends);
  looked.set(timed, { ends, over });
  return over;
}

function newOverLimits(cues: readonly PlacedCue[], ends: number | undefined): OverLimitCues {
  // The gap to the previous cue is checked together with it.
  const before = ends === undefined ? [] : [{ start: ends, end: ends, head: "", lines: [] }];
  const shown = cues.map(({ start, end, head, lines }) => ({ start, end, head, lines }));
  const byCue = new Map<number, OverLimit[]>();
  for (const finding of overLimits([...before, ...shown], subtitleLimits())) {
    const at = finding.cue - before.length;
    byCue.set(at, [...(byCue.get(at) ?? []), finding]);
  }
  const over = new Map<EditedSegment, OverLimitCue[]>();
  for (const [at, cue] of cues.entries()) {
    const findings = byCue.get(at);
    const ofSegment = over.get(cue.segment) ?? [];
    if (findings) over.set(cue.segment, [...ofSegment, { cue, findings }]);
  }
  return over;
}

/** The end of the last cue before a block of segments that are timed together. */
export function endBefore(text: CueText, first: number): number | undefined {
  for (let at = first - 1; at >= 0; ) {
    const [from, end] = blockOf(text, at);
    const { ends } = timedCuesOf(text, from, end);
    if (ends !== undefined) return ends;
    at = from - 1;
  }
  return undefined;
}
