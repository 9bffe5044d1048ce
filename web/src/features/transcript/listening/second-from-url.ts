/** The position in the recording from the URL's `?t=`, in seconds. */
import { segmentAt, type Timeline } from "@/domain/transcript/timeline";

const NAME = "t";

/** The format of seconds in URLs: no sign, no exponent, limited digits. */
const SECONDS = /^\d{1,7}(\.\d{1,20})?$/;

/** Tolerance for rounded values: a position this much before a line, in seconds, counts as its start. */
const ROUNDING = 0.02;

/** Null if the parameter is missing or invalid. */
export function secondFromUrl(params: URLSearchParams): number | null {
  const [text = "", ...more] = params.getAll(NAME);
  return more.length === 0 && SECONDS.test(text) ? Number(text) : null;
}

export function withoutSecond(params: URLSearchParams): URLSearchParams {
  params.delete(NAME);
  return params;
}

/** Clamps the position to the text: just before a line means its start, after the end means the last line. */
export function secondInText({ segmentStarts }: Pick<Timeline, "segmentStarts">, seconds: number, duration: number): number {
  const last = segmentStarts.at(-1) ?? 0;
  const within = seconds < duration || duration <= 0 ? seconds : last;
  const start = segmentStarts[segmentAt({ segmentStarts } as Timeline, within + ROUNDING)] ?? 0;
  return Math.max(within, start > within ? start : within);
}
