/** The usage chart's arithmetic: a bar for each day, over a scale that ends in a round figure. */
import type { UsageDay } from "@/api/subscription";

export interface Bar extends UsageDay {
  /** 0 to 1 of the chart's height. What was given back cannot be drawn: the table says it. */
  height: number;
}

export interface Chart {
  bars: readonly Bar[];
  /** What the full height stands for, in minutes. */
  top: number;
  /** Of all days; what was given back is taken off. */
  sum: number;
  /** Jobs of all days. */
  jobs: number;
}

export function chartOf(days: readonly UsageDay[]): Chart {
  const top = roundedUp(Math.max(0, ...days.map(({ minutes }) => minutes)));
  return {
    bars: days.map((day) => ({ ...day, height: Math.max(0, day.minutes) / top })),
    top,
    // Sums of hundredths stay hundredths.
    sum: Math.round(days.reduce((sum, { minutes }) => sum + minutes, 0) * 100) / 100,
    jobs: days.reduce((sum, { jobs }) => sum + jobs, 0),
  };
}

/** To 1, 2 or 5 times a power of ten: the scale's end; at least one minute. */
export function roundedUp(value: number): number {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10) * power;
}
