/** The minutes of the monthly quota that jobs will use. */
import type { Minutes } from "@/api/minutes";
import { formatNumber } from "@/lib/format";
import type { Locale } from "@/lib/i18n";
import { mayStart, minutesOfDuration, type Violation } from "@/rules";

interface RequiredMinutes {
  /** Sum over the recordings whose duration is known. */
  minutes: number;
  /** The longest known duration; a plan may limit it. */
  longest: number;
  /** `none`: no duration is known; `some`: not all of them are. */
  known: "all" | "some" | "none";
}

/** Durations in seconds; null if unknown. */
export function neededMinutes(durations: readonly (number | null)[]): RequiredMinutes {
  const known = durations.filter((duration) => duration !== null);
  const each = known.map((duration) => minutesOfDuration(duration));
  const sum = each.reduce((minutes, value) => minutes + value, 0);
  return {
    // Avoids floating-point noise: sums of hundredths stay hundredths.
    minutes: Math.round(sum * 100) / 100,
    longest: Math.max(0, ...each),
    known: known.length === 0 ? "none" : known.length < durations.length ? "some" : "all",
  };
}

/** With numbers formatted for the reader. */
export function withFigures(violation: Violation, locale: Locale): Violation {
  const figures = Object.entries(violation.params).map(([name, value]) => [
    name,
    typeof value === "number" ? formatNumber(value, locale, 2) : value,
  ]);
  return { ...violation, params: Object.fromEntries(figures) };
}

/**
 * Why the jobs cannot start; null if they can, or if it is not known yet. Each recording must be short enough for the
 * plan, and all of them together must fit into the rest of the monthly quota.
 */
export function minutesRefusal(minutes: Minutes | undefined, needed: RequiredMinutes): Violation | null {
  if (minutes === undefined || needed.known === "none") return null;
  const { limit, used, max_file_duration } = minutes;
  const tooLong = mayStart(null, used, needed.longest, max_file_duration)[0];
  return tooLong ?? mayStart(limit, used, needed.minutes)[0] ?? null;
}
