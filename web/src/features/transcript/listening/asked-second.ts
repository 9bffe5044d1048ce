/** The second of the recording in the URL's `?t=`. */
import { segmentAt, type Timeline } from "@/components/transcript/timeline";

const NAME = "t";

/** Seconds in a URL: no sign, no exponent, not longer than any recording. */
const SECONDS = /^\d{1,7}(\.\d{1,20})?$/;

/** The number may have been rounded: this close before a line, in seconds, means its start. */
const ROUNDING = 0.02;

/** Null without a valid value. */
export function askedSecond(params: URLSearchParams): number | null {
  const [text = "", ...more] = params.getAll(NAME);
  return more.length === 0 && SECONDS.test(text) ? Number(text) : null;
}

export function withoutSecond(params: URLSearchParams): URLSearchParams {
  params.delete(NAME);
  return params;
}

/** The second within the text: slightly before a line means its start, after the end means the last line. */
export function secondInText({ segmentStarts }: Pick<Timeline, "segmentStarts">, seconds: number, duration: number): number {
  const last = segmentStarts.at(-1) ?? 0;
  const within = seconds < duration || duration <= 0 ? seconds : last;
  const start = segmentStarts[segmentAt({ segmentStarts } as Timeline, within + ROUNDING)] ?? 0;
  return Math.max(within, start > within ? start : within);
}
