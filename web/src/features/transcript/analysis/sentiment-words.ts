/** The colours and figures of sentiment. */
import type { Mood } from "@/api/analysis";
import { formatNumber } from "@/lib/format";
import type { Locale } from "@/lib/i18n";

export const MOOD_TEXT: Record<Mood, string> = { positive: "text-good", neutral: "text-ink-soft", negative: "text-bad" };

/** `+0,4`, `−0,2`, `0`. */
export function formatScore(score: number, locale: Locale): string {
  const rounded = Math.round(score * 100) / 100;
  const sign = rounded > 0 ? "+" : rounded < 0 ? "−" : "";
  return `${sign}${formatNumber(Math.abs(rounded), locale, 2)}`;
}
