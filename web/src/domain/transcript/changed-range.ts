/** Finds the part of a long list that an edit changed: elements that an edit does not touch stay the same object. */

/** Positions `from` up to, not including, `to`. */
export interface ChangedRange {
  from: number;
  to: number;
}

/** Cache of the last answer: after an edit several parts of a page ask about the same two lists. */
let latest: { before: readonly unknown[]; now: readonly unknown[]; stretch: ChangedRange } | null = null;

/** The shortest range that covers all differences; null if the lists differ in length. */
export function changedRange(before: readonly unknown[], after: readonly unknown[]): ChangedRange | null {
  if (before.length !== after.length) {
    return null;
  }
  if (latest?.before !== before || latest.now !== after) {
    latest = { before, now: after, stretch: compared(before, after) };
  }
  return latest.stretch;
}

function compared(before: readonly unknown[], after: readonly unknown[]): ChangedRange {
  let from = 0;
  while (from < after.length && after[from] === before[from]) {
    from += 1;
  }
  let to = after.length;
  while (to > from && after[to - 1] === before[to - 1]) {
    to -= 1;
  }
  return { from, to };
}
