/** Sort orders of the table of segments. */
import type { EditedSegment } from "../document/model";

export type Order = "time" | "unsure-first" | "sure-first";

/** Confidence of a segment: the mean of its words, 0 to 1; null if words have none. */
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

/** Indices of the segments in this order; those without confidence come last. */
export function ordered(confidences: readonly (number | null)[], order: Order): number[] {
  const positions = confidences.map((_, at) => at);
  if (order === "time") {
    return positions;
  }
  const sign = order === "unsure-first" ? 1 : -1;
  const value = (at: number) => confidences[at] ?? Number.POSITIVE_INFINITY * sign;
  return positions.sort((a, b) => sign * (value(a) - value(b)) || a - b);
}
