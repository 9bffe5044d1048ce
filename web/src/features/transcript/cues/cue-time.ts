/** Times of subtitles as people write and read them. All of them are seconds. */
import type { Locale } from "@/lib/i18n";

/** A time is kept to this part of a second. */
const MS = 1000;

export const roundTime = (seconds: number): number => Math.round(seconds * MS) / MS;

const CLOCK = /^(?:(\d{1,3}):)?(?:(\d{1,3}):)?(\d{1,5})(?:[.,](\d{1,6}))?$/;
/** With frames behind the last colon, or behind the semicolon of drop-frame code. */
const FRAMES = /^(\d{1,3}):(\d{1,2}):(\d{1,2})[:;](\d{1,3})$/;

/**
 * `62.5`, `1:02.5`, `00:01:02,500`, or with frames `00:01:02:12`; null for what is none of these. Minutes and seconds below
 * a colon are less than 60, frames less than there are in a second.
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

/** `1:02,480`, `1:02.480` in English: a time to a millisecond, as it can be typed again. */
export function formatTime(seconds: number, locale: Locale): string {
  const all = Math.round(Math.max(0, seconds) * MS);
  const whole = Math.floor(all / MS);
  const h = Math.floor(whole / 3600);
  const m = Math.floor((whole % 3600) / 60);
  const head = h > 0 ? `${h}:${String(m).padStart(2, "0")}` : String(m);
  const mark = locale === "uk" ? "," : ".";
  return `${head}:${String(whole % 60).padStart(2, "0")}${mark}${String(all % MS).padStart(3, "0")}`;
}

/** How far a key or a button moves a time: a frame, or a tenth of a second. */
export type Nudge = "frame" | "tenth";

export const nudgeSeconds = (nudge: Nudge, frameRate: number): number => (nudge === "frame" ? 1 / frameRate : 0.1);
