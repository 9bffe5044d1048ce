/** Calculations for the usage chart: a bar per day, and a scale that ends in a round number. */
import type { UsageDay } from "@/api/subscription";

export interface Bar extends UsageDay {
  /** 0 to 1 of the chart's height. Negative days (refunds) cannot be drawn; the table shows them. */
  height: number;
}

export interface Chart {
  bars: readonly Bar[];
  /** The value of the full height, in minutes. */
  top: number;
  /** Total of all days, minus refunds. */
  sum: number;
  /** Number of jobs on all days. */
  jobs: number;
}

export function chartOf(days: readonly UsageDay[]): Chart {
  const top = roundedUp(Math.max(0, ...days.map(({ minutes }) => minutes)));
  return {
    bars: days.map((day) => ({ ...day, height: Math.max(0, day.minutes) / top })),
    top,
    // Rounds to hundredths, because of floating point.
    sum: Math.round(days.reduce((sum, { minutes }) => sum + minutes, 0) * 100) / 100,
    jobs: days.reduce((sum, { jobs }) => sum + jobs, 0),
  };
}

/** The end of the scale: 1, 2 or 5 times a power of ten; at least one minute. */
export function roundedUp(value: number): number {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10) * power;
}
