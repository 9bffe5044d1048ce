/** The order of the table of segments. */
import type { EditedSegment } from "../document/model";

export type Order = "time" | "unsure-first" | "sure-first";

/** How sure the recognition was of a segment: the mean of its words, 0 to 1; null where words have no figures. */
export function confidenceOf({ words }: Pick<EditedSegment, "words">): number | null {
  if (words.length === 0) {
    return null;
  }
  let mean = known.get(words);
  if (mean === undefined) {
    mean = words.reduce((sum, { confidence }) => sum + confidence, 0) / words.length;
    known.set(words, mean);
  }
  return mean;
}

/** Words are never changed in place. */
const known = new WeakMap<EditedSegment["words"], number>();

/** Positions of the segments in this order; those without figures come last. */
export function ordered(confidences: readonly (number | null)[], order: Order): number[] {
  const positions = confidences.map((_, at) => at);
  if (order === "time") {
    return positions;
  }
  const sign = order === "unsure-first" ? 1 : -1;
  const value = (at: number) => confidences[at] ?? Number.POSITIVE_INFINITY * sign;
  return positions.sort((a, b) => sign * (value(a) - value(b)) || a - b);
}
