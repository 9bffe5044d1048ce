/** Parses and formats times of subtitles. All times are in seconds. */
import type { Locale } from "@/lib/i18n";

/** Times are rounded to this fraction of a second. */
const MS = 1000;

export const roundTime = (seconds: number): number => Math.round(seconds * MS) / MS;

const CLOCK = /^(?:(\d{1,3}):)?(?:(\d{1,3}):)?(\d{1,5})(?:[.,](\d{1,6}))?$/;
/** With frames after the last colon, or after the semicolon of drop-frame timecode. */
const FRAMES = /^(\d{1,3}):(\d{1,2}):(\d{1,2})[:;](\d{1,3})$/;

/**
 * `62.5`, `1:02.5`, `00:01:02,500`, or with frames `00:01:02:12`; null for other text. Minutes and seconds after a
 * colon are below 60, frames below the frame rate.
 */
export function parseTime(written: string, frameRate: number): number | null {
  const text = written.replace(/\s/g, "");
  const frames = FRAMES.exec(text);
  if (frames) {
    const [h, m, s, f] = frames.slice(1).map(Number) as [number, number, number, number];
    return m < 60 && s < 60 && f < frameRate ? roundTime(h * 3600 + m * 60 + s + f / frameRate) : null;
  }
  const clock = CLOCK.exec(text);
  if (!clock) {
    return null;
  }
  const [, first, second, last, part = ""] = clock;
  const hours = second === undefined ? 0 : Number(first);
  const minutes = Number(second ?? first ?? 0);
  const seconds = Number(last);
  if ((first !== undefined && seconds >= 60) || (second !== undefined && minutes >= 60)) {
    return null;
  }
  return roundTime(hours * 3600 + minutes * 60 + seconds + Number(`0.${part || 0}`));
}

/** `1:02,480`, in English `1:02.480`: a time in milliseconds that can be parsed again. */
export function formatTime(seconds: number, locale: Locale): string {
  const all = Math.round(Math.max(0, seconds) * MS);
  const wholeSeconds = Math.floor(all / MS);
  const h = Math.floor(wholeSeconds / 3600);
  const m = Math.floor((wholeSeconds % 3600) / 60);
  const head = h > 0 ? `${h}:${String(m).padStart(2, "0")}` : String(m);
  const mark = locale === "uk" ? "," : ".";
  return `${head}:${String(wholeSeconds % 60).padStart(2, "0")}${mark}${String(all % MS).padStart(3, "0")}`;
}

/** The step by which a key or a button moves a time: a frame, or a tenth of a second. */
export type Nudge = "frame" | "tenth";

export const nudgeSeconds = (nudge: Nudge, frameRate: number): number => (nudge === "frame" ? 1 / frameRate : 0.1);
