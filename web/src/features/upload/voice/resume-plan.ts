/** How to continue an interrupted recording, from the server's bytes and the pieces stored in this browser. */

/** A piece of the file. In bytes. */
export interface Span {
  offset: number;
  length: number;
}

export interface ResumePlan {
  /** Bytes on the server. */
  acked: number;
  /** Total length in bytes; new sound is appended there. */
  end: number;
  /** Stored pieces that are not on the server, in order. */
  unsent: Span[];
  /** Stored bytes that are useless because something before them is lost. */
  lost: number;
}

/** `stored`: bytes on the server, 0 without an upload. `spans`: the pieces here, in any order. */
export function planResume(stored: number, spans: readonly Span[]): ResumePlan {
  const plan: ResumePlan = { acked: stored, end: stored, unsent: [], lost: 0 };
  for (const span of [...spans].sort((a, b) => a.offset - b.offset)) {
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
export function isWhole(spans: readonly Span[], end: number): boolean {
  return end > 0 && planResume(0, spans).end >= end;
}
