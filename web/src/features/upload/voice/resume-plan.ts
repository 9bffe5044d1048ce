/** How a recording that was broken off goes on: what the server has, put together with what this browser has kept. */

/** A piece of the file. In bytes. */
export interface Span {
  offset: number;
  length: number;
}

export interface ResumePlan {
  /** Bytes that the server has. */
  acked: number;
  /** Bytes that the recording has in all; new sound goes here. */
  end: number;
  /** Kept pieces that the server does not have, in order. */
  unsent: Span[];
  /** Bytes that are kept but fit nowhere, because something before them is lost. */
  lost: number;
}

/** `stored`: bytes at the server, 0 where there is no upload. `kept`: the pieces here, in any order. */
export function planResume(stored: number, kept: readonly Span[]): ResumePlan {
  const plan: ResumePlan = { acked: stored, end: stored, unsent: [], lost: 0 };
  for (const span of [...kept].sort((a, b) => a.offset - b.offset)) {
    const spanEnd = span.offset + span.length;
    if (spanEnd <= plan.end) {
      continue;
    }
    if (span.offset > plan.end) {
      plan.lost += span.length;
    } else {
      plan.unsent.push(span);
      plan.end = spanEnd;
    }
  }
  return plan;
}

/** Whether everything up to `end` is here: then it can be played, and sent again from the beginning. */
export function isWhole(kept: readonly Span[], end: number): boolean {
  return end > 0 && planResume(0, kept).end >= end;
}
