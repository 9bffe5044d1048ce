import { expect, it } from "vitest";
import { chartOf, roundedUp } from "./chart";

const day = (date: string, minutes: number, jobs = 1) => ({ date, minutes, jobs });

it.each([
  [0, 1],
  [0.4, 1],
  [1, 1],
  [1.01, 2],
  [4, 5],
  [5.5, 10],
  [10, 10],
  [37, 50],
  [180, 200],
  [1001, 2000],
])("a scale for %d minutes ends at %d", (value, top) => {
  expect(roundedUp(value)).toBe(top);
});

it("computes the height of each day and the sum", () => {
  const chart = chartOf([day("2026-11-20", 10, 2), day("2026-11-21", 0, 0), day("2026-11-22", 20.1)]);
  expect(chart.top).toBe(50);
  expect(chart.bars.map(({ height }) => height)).toEqual([0.2, 0, 0.402]);
  expect(chart.sum).toBe(30.1);
  expect(chart.jobs).toBe(3);
});

it("has no bar for a day with more refunds than use", () => {
  const chart = chartOf([day("2026-11-21", 3), day("2026-11-22", -3, 0)]);
  expect(chart.bars[1]?.height).toBe(0);
  expect(chart.sum).toBe(0);
});

it("is empty without data", () => {
  expect(chartOf([])).toEqual({ bars: [], top: 1, sum: 0, jobs: 0 });
});
