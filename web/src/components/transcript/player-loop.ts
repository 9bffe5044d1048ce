/** A stretch of the recording that is played over and over. */

/** From and to in seconds; `to` is later. */
export interface Span {
  from: number;
  to: number;
}

export interface Loop {
  /** What is repeated, null while nothing is. */
  span: Span | null;
  /** The one end that is marked so far, null while none is. */
  marked: { end: "from" | "to"; at: number } | null;
}

export const NO_LOOP: Loop = { span: null, marked: null };

/** Shorter ones are a slip of the finger, in seconds. */
const SHORTEST = 0.2;

/** A stretch that can be repeated, or null for one that is too short; its ends may be given in any order. */
export function spanOf(one: number, other: number): Span | null {
  const from = Math.min(one, other);
  const to = Math.max(one, other);
  return to - from >= SHORTEST ? { from, to } : null;
}

/** Marks one end at `time`; with the other end there, marked or of a loop that runs, it is a loop. */
export function withMark({ span, marked }: Loop, end: "from" | "to", time: number): Loop {
  const other = marked !== null && marked.end !== end ? marked.at : span?.[end === "from" ? "to" : "from"];
  const whole = other === undefined ? null : spanOf(time, other);
  return whole ? { span: whole, marked: null } : { span: null, marked: { end, at: time } };
}

/** One key for it all: marks the beginning, then the end, then ends the loop. */
export function nextLoop(loop: Loop, time: number): Loop {
  if (loop.span) {
    return NO_LOOP;
  }
  return withMark(loop, loop.marked?.end === "from" ? "to" : "from", time);
}

/** The place, moved into the loop where there is one. */
export function within({ span }: Loop, seconds: number): number {
  return span ? Math.min(Math.max(seconds, span.from), span.to) : seconds;
}

/** Whether somebody who goes to this place leaves the loop. A little beside it is still in it. */
export function leaves({ span }: Loop, seconds: number): boolean {
  const SLACK = 0.05;
  return span !== null && (seconds < span.from - SLACK || seconds > span.to + SLACK);
}
