/** The cues of the whole text, and what is wrong with one. */

import { charactersPerSecond, type SegmentCue, segmentCues, subtitleLimits, textColumns } from "@/rules/text";
import type { EditedSegment } from "../document/model";

/** A cue and where it comes from. */
export interface PlacedCue extends SegmentCue {
  segment: EditedSegment;
  /** Which of the segment's cues, and how many it has. */
  part: number;
  parts: number;
}

/** Cues that were made, and the time around the segment for which they were, in seconds. */
interface Made {
  cues: PlacedCue[];
  duration: number;
  from: number;
  next: number | undefined;
}

/** A segment stays the same object as long as it says the same, so its cues need not be made again. */
const known = new WeakMap<EditedSegment, Made>();

/** The cues of the segment at a position, as the files of a recording of `duration` seconds (0: unknown) will have them. */
export function cuesAt(segments: readonly EditedSegment[], at: number, duration: number): PlacedCue[] {
  const segment = segments[at];
  const next = segments[at + 1]?.start;
  // Only the last one looks back: a short one takes time from the pause before it.
  const before = next === undefined && at > 0 ? cuesAt(segments, at - 1, duration).at(-1)?.end : undefined;
  return segment ? cuesOf(segment, duration, before ?? 0, next) : [];
}

function cuesOf(segment: EditedSegment, duration: number, from: number, next: number | undefined): PlacedCue[] {
  const found = known.get(segment);
  if (found && found.duration === duration && found.from === from && found.next === next) {
    return found.cues;
  }
  const made = segmentCues(segment, duration, from, next);
  const cues = made.map((cue, part) => ({ ...cue, segment, part, parts: made.length }));
  known.set(segment, { cues, duration, from, next });
  return cues;
}

export interface CueFigures {
  /** Characters a second. */
  speed: number;
  /** Columns of each line. */
  columns: number[];
  tooFast: boolean;
  tooWide: boolean;
  tooTall: boolean;
}

/** The figures of a text that is shown for so many seconds. */
export function figuresOf(lines: readonly string[], seconds: number): CueFigures {
  const limits = subtitleLimits();
  const speed = charactersPerSecond(lines.join(" "), seconds);
  const columns = lines.map(textColumns);
  return {
    speed,
    columns,
    tooFast: speed > limits.max_cps,
    tooWide: columns.some((one) => one > limits.max_columns),
    tooTall: lines.length > limits.max_lines,
  };
}

/** The segment's text with another text for one of its cues. */
export const textWithCue = ({ segment, from, to }: PlacedCue, text: string): string =>
  `${segment.text.slice(0, from)}${text}${segment.text.slice(to)}`;

/** Unicode scalar values of the segment's text before a cue: where the segment is parted. */
export const splitPlace = ({ segment, from }: PlacedCue): number => [...segment.text.slice(0, from).trimEnd()].length;

/** How many cues of the segment at a position are over the limits. */
export const overLimits = (segments: readonly EditedSegment[], at: number, duration: number): number =>
  cuesAt(segments, at, duration).filter(({ lines, start, end }) => {
    const { tooFast, tooWide, tooTall } = figuresOf(lines, end - start);
    return tooFast || tooWide || tooTall;
  }).length;
