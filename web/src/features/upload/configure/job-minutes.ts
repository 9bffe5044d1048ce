/** What jobs will take of a month's minutes. */
import type { Minutes } from "@/api/minutes";
import { mayStart, minutesOfDuration, type Violation } from "@/rules";

interface Needed {
  /** Of the recordings whose length is known. */
  minutes: number;
  /** `none`: no length is known; `some`: not all of them are. */
  known: "all" | "some" | "none";
}

/** Durations in seconds; null where one is not known. */
export function neededMinutes(durations: readonly (number | null)[]): Needed {
  const known = durations.filter((duration) => duration !== null);
  const sum = known.reduce((minutes, duration) => minutes + minutesOfDuration(duration), 0);
  return {
    // Sums of hundredths stay hundredths.
    minutes: Math.round(sum * 100) / 100,
    known: known.length === 0 ? "none" : known.length < durations.length ? "some" : "all",
  };
}

/** Why the jobs cannot begin; null where they can, or where it is not known yet. */
export function minutesRefusal(minutes: Minutes | undefined, needed: Needed): Violation | null {
  if (minutes?.limit == null || needed.known === "none") return null;
  return mayStart(minutes.limit, minutes.used, needed.minutes)[0] ?? null;
}
