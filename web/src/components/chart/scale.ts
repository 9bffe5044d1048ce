/** The vertical scale of a chart. */

/** Steps of round numbers. */
const STEPS = [1, 2, 5, 10] as const;

/** The smallest round number that is not below any value, and whose half is also round. */
export function scaleEnd(values: readonly number[], least = 2): number {
  const highest = Math.max(least, ...values);
  const power = 10 ** Math.floor(Math.log10(highest));
  const step = STEPS.find((candidate) => candidate * power >= highest) ?? 10;
  return step * power;
}

/** The days with a label: the first, the last, and as many between as fit. */
export function labelledDays(days: number): readonly number[] {
  if (days <= 2) return Array.from({ length: days }, (_, at) => at);
  return [0, Math.floor((days - 1) / 2), days - 1];
}
