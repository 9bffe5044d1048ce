import { expect, it } from "vitest";
import { labelledDays, scaleEnd } from "./scale";

it("ends the scale at the next round number", () => {
  expect([[], [0], [1, 3], [5], [6], [11], [21], [51], [100], [101], [0.4]].map((values) => scaleEnd(values))).toEqual([
    2, 2, 5, 5, 10, 20, 50, 100, 100, 200, 2,
  ]);
  expect(scaleEnd([0.3], 0.1)).toBeCloseTo(0.5);
});

it("labels the ends and the middle", () => {
  expect([0, 1, 2, 3, 30, 90].map(labelledDays)).toEqual([[], [0], [0, 1], [0, 1, 2], [0, 14, 29], [0, 44, 89]]);
});
