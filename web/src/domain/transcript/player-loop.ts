/** A stretch of the recording that is played over and over. */

/** From and to in seconds; `to` is later. */
export interface Span {
  from: number;
  to: number;
}

export interface Loop {
  /** The loop, null when there is none. */
  span: Span | null;
  /** The end marked so far, null when none is. */
  marked: { end: "from" | "to"; at: number } | null;
}

export const NO_LOOP: Loop = { span: null, marked: null };

/** Shorter loops are taken as accidental, in seconds. */
const MIN_LOOP_SECONDS = 0.2;

/** A loop, or null if it is too short; its ends may be given in any order. */
export function spanOf(one: number, other: number): Span | null {
  const from = Math.min(one, other);
  const to = Math.max(one, other);
  return to - from >= MIN_LOOP_SECONDS ? { from, to } : null;
}

/** Marks one end at `time`; together with the other end, marked or of the running loop, this makes a loop. */
export function withMark({ span, marked }: Loop, end: "from" | "to", time: number): Loop {
  const other = marked !== null && marked.end !== end ? marked.at : span?.[end === "from" ? "to" : "from"];
  const full = other === undefined ? null : spanOf(time, other);
  return full ? { span: full, marked: null } : { span: null, marked: { end, at: time } };
}

/** One key for all steps: marks the beginning, then the end, then ends the loop. */
export function nextLoop(loop: Loop, time: number): Loop {
  if (loop.span) {
    return NO_LOOP;
  }
  return withMark(loop, loop.marked?.end === "from" ? "to" : "from", time);
}

/** The position, clamped to the loop if there is one. */
export function clampToLoop({ span }: Loop, seconds: number): number {
  return span ? Math.min(Math.max(seconds, span.from), span.to) : seconds;
}

/** Whether seeking to this position leaves the loop. A small tolerance around it counts as inside. */
export function leavesLoop({ span }: Loop, seconds: number): boolean {
  const SLACK = 0.05;
  return span !== null && (seconds < span.from - SLACK || seconds > span.to + SLACK);
}
