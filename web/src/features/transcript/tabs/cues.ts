/** The cues of the whole text, and what is wrong with one. */

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

/** A cue and where it comes from. */
export interface PlacedCue extends Omit<SegmentCue, "segment"> {
  segment: EditedSegment;
  /** Which of the segment's cues, and how many it has. */
  part: number;
  parts: number;
}

/** The text whose cues are made. */
export interface CueText {
  segments: readonly EditedSegment[];
  speakers: readonly Speaker[];
  /** Where the recording ends, in seconds; 0: unknown. */
  duration: number;
}

/** Cues of segments that are timed together, and what they were made of. */
interface Made {
  /** By segment. */
  cues: readonly PlacedCue[][];
  /** All of them, in the order in which they come. */
  order: readonly PlacedCue[];
  segments: readonly EditedSegment[];
  speakers: readonly Speaker[];
  before: string | undefined;
  next: number | undefined;
  duration: number;
}

/** Lists do not change, so what is found of one holds: where the segments begin that are timed together. */
const places = new WeakMap<readonly EditedSegment[], Uint32Array>();
/** A segment stays the same object as long as it says the same, so its cues need not be made again. */
const known = new WeakMap<EditedSegment, Made>();

/** The cues of the segment at a position, as the files will have them. */
export function cuesAt(text: CueText, at: number): PlacedCue[] {
  const [first, end] = blockOf(text, at);
  return madeOf(text, first, end).cues[at - first] ?? [];
}

/** Which segments are timed together with the one at a position: that of the first, and the one behind the last. */
export function blockOf({ segments }: CueText, at: number): [first: number, end: number] {
  const firsts = firstsOf(segments);
  const block = lastUpTo(firsts, at);
  const first = firsts[block];
  return first === undefined ? [0, 0] : [first, firsts[block + 1] ?? segments.length];
}

function firstsOf(segments: readonly EditedSegment[]): Uint32Array {
  const found = places.get(segments);
  if (found) return found;
  const spans = Float64Array.from(segments.flatMap(({ start, end }) => [start, end]));
  // Cues made by hand may stand outside of what their line takes.
  const byHand = segments.flatMap(({ cues }, at) => {
    const [one, last] = [cues?.[0], cues?.at(-1)];
    return one && last ? [at, one.start, last.end] : [];
  });
  const firsts = firstsOfCues(spans, Float64Array.from(byHand));
  places.set(segments, firsts);
  return firsts;
}

/** Position of the last of these rising numbers that is not above the given one; -1 if there is none. */
function lastUpTo(numbers: Uint32Array, most: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) <= most) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

const NONE: Made = { cues: [], order: [], segments: [], speakers: [], before: undefined, next: undefined, duration: 0 };

/** What stands around segments that are timed together: who speaks last before them, and when the next one comes. */
export const aroundOf = ({ segments }: CueText, first: number, end: number) => ({
  before: speakerBefore(segments, first),
  next: beginOf(segments[end]),
});

/** The cues of segments that are timed together. */
function madeOf(text: CueText, first: number, end: number): Made {
  const { segments, speakers, duration } = text;
  const together = segments.slice(first, end);
  const [head] = together;
  if (!head) return NONE;
  const { before, next } = aroundOf(text, first, end);
  const found = known.get(head);
  if (
    found &&
    found.speakers === speakers &&
    found.before === before &&
    found.next === next &&
    found.duration === duration &&
    sameItems(found.segments, together)
  ) {
    return found;
  }
  const made = segmentCues(together, [...speakers], first === 0, before, next, duration);
  const cues = together.map((segment, at) => {
    const own = made.filter((cue) => cue.segment === at);
    const placed = own.map((cue, part) => ({ ...cue, segment, part, parts: own.length }));
    const old = found?.cues[found.segments.indexOf(segment)];
    // Rows are drawn again only where something has changed.
    return old && sameCues(old, placed) ? old : placed;
  });
  const parts = together.map(() => 0);
  const order = made.flatMap((cue) => {
    const part = parts[cue.segment] ?? 0;
    parts[cue.segment] = part + 1;
    return cues[cue.segment]?.[part] ?? [];
  });
  const now: Made = { cues, order, segments: together, speakers, before, next, duration };
  known.set(head, now);
  return now;
}

/** When a segment takes the time of others: with its start, or its first cue made by hand before that. */
const beginOf = (segment: EditedSegment | undefined): number | undefined =>
  segment && Math.min(segment.start, segment.cues?.[0]?.start ?? segment.start);

/** The one of a segment's cues that is shown at a moment: the last that has begun, and the first before. */
export const cueAt = (cues: readonly PlacedCue[], seconds: number): PlacedCue | undefined =>
  cues.findLast(({ start }) => start <= seconds) ?? cues[0];

/** Who speaks in the last segment before a position that says anything. */
function speakerBefore(segments: readonly EditedSegment[], position: number): string | undefined {
  for (let at = position - 1; at >= 0; at -= 1) {
    const segment = segments[at];
    if (segment && segment.text.trim() !== "") return segment.speaker ?? undefined;
  }
  return undefined;
}

const sameItems = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((one, at) => one === b[at]);

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
  /** Characters a second. */
  speed: number;
  /** Columns of each line. */
  columns: number[];
  tooFast: boolean;
  tooWide: boolean;
  tooTall: boolean;
}

/** The figures of a text that is shown for so many seconds, with the speaker (`head`) in front. */
export function figuresOf(lines: readonly string[], seconds: number, head = ""): CueFigures {
  const limits = subtitleLimits();
  const speed = charactersPerSecond(head + lines.join(" "), seconds);
  const columns = lines.map((line, at) => textColumns(at === 0 ? head + line : line));
  return {
    speed,
    columns,
    tooFast: speed > limits.max_cps,
    tooWide: columns.some((one) => one > limits.max_columns),
    tooTall: lines.length > limits.max_lines,
  };
}

/** Unicode scalar values of the segment's text before a cue: where the segment is parted. */
export const splitPlace = ({ segment, from }: PlacedCue): number => [...segment.text.slice(0, from).trimEnd()].length;

/** How a cue is called: the number of its line, with its own where the line has several. */
export function cueNumber({ segment, part, parts }: PlacedCue, positions: ReadonlyMap<string, number>): string {
  const line = (positions.get(segment.id) ?? 0) + 1;
  return parts > 1 ? `${line}.${part + 1}` : String(line);
}

/** A cue that is over the limits, and in what. */
export interface OverCue {
  cue: PlacedCue;
  findings: readonly OverLimit[];
}

/** What was found of cues that are timed together, and when the last one in front of them ended. */
const looked = new WeakMap<Made, { ends: number | undefined; over: OverCue[] }>();

/** The cues of the segment at a position that are over the limits. */
export function overAt(text: CueText, at: number): OverCue[] {
  const segment = text.segments[at];
  const [first, end] = blockOf(text, at);
  return segment ? overOf(text, first, end).filter(({ cue }) => cue.segment === segment) : [];
}

function overOf(text: CueText, first: number, end: number): OverCue[] {
  const made = madeOf(text, first, end);
  const ends = endBefore(text, first);
  const found = looked.get(made);
  if (found && found.ends === ends) {
    return found.over;
  }
  // How far a cue is from those in front of it is looked at together with the last of them.
  const before = ends === undefined ? [] : [{ start: ends, end: ends, head: "", lines: [] }];
  const findings = overLimits(
    [...before, ...made.order.map(({ start, end, head, lines }) => ({ start, end, head, lines }))],
    subtitleLimits(),
  );
  const over = made.order.flatMap((cue, own) => {
    const its = findings.filter((one) => one.cue === own + before.length);
    return its.length > 0 ? [{ cue, findings: its }] : [];
  });
  looked.set(made, { ends, over });
  return over;
}

/** When the last cue in front of these segments ends, which are the first of some that are timed together. */
export function endBefore(text: CueText, first: number): number | undefined {
  for (let at = first - 1; at >= 0; ) {
    const [from, end] = blockOf(text, at);
    const { order } = madeOf(text, from, end);
    if (order.length > 0) {
      return order.reduce((last, cue) => Math.max(last, cue.end), 0);
    }
    at = from - 1;
  }
  return undefined;
}
