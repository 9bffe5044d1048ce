/** A stretch of the recording that is recognised again, and the text in it. */
import type { EditedSegment } from "../document/model";

/** Seconds. */
export interface Stretch {
  start: number;
  end: number;
}

const middleOf = ({ start, end }: Stretch): number => (start + end) / 2;
const holds = ({ start, end }: Stretch, second: number): boolean => second >= start && second <= end;

/** Those that overlap a stretch, or touch it. */
export const overlapping = <Timed extends Stretch>(all: readonly Timed[], { start, end }: Stretch): Timed[] =>
  all.filter((one) => one.start <= end && one.end >= start);

/** Whether words are in the text for what is said in the stretch; a segment in whose pause it lies does not count. */
export const hasWords = (segments: readonly EditedSegment[], stretch: Stretch): boolean =>
  overlapping(segments, stretch).some(({ words, ...segment }) =>
    words.length > 0 ? words.some((word) => holds(stretch, middleOf(word))) : holds(stretch, middleOf(segment)),
  );

/** The last segment that begins before the stretch; null if there is none. */
export const segmentBefore = (segments: readonly EditedSegment[], { start }: Stretch): EditedSegment | null =>
  segments.findLast((segment) => segment.start <= start) ?? null;
