/** The second of the recording that an address asks for by `?t=`. */
import { segmentAt, type Timeline } from "@/domain/transcript/timeline";

const NAME = "t";

/** Seconds as addresses have them: no sign, no exponent, not longer than any recording. */
const SECONDS = /^\d{1,7}(\.\d{1,20})?$/;

/** A figure may have lost its last digits on the way: so much before a line, in seconds, is its beginning. */
const ROUNDING = 0.02;

/** Null where nothing is asked for, or nothing that is a second. */
export function secondFromUrl(params: URLSearchParams): number | null {
  const [text = "", ...more] = params.getAll(NAME);
  return more.length === 0 && SECONDS.test(text) ? Number(text) : null;
}

export function withoutSecond(params: URLSearchParams): URLSearchParams {
  params.delete(NAME);
  return params;
}

/** The second within the text: what is just before a line is its beginning, what is after the end is its last line. */
export function secondInText({ segmentStarts }: Pick<Timeline, "segmentStarts">, seconds: number, duration: number): number {
  const last = segmentStarts.at(-1) ?? 0;
  const within = seconds < duration || duration <= 0 ? seconds : last;
  const start = segmentStarts[segmentAt({ segmentStarts } as Timeline, within + ROUNDING)] ?? 0;
  return Math.max(within, start > within ? start : within);
}
