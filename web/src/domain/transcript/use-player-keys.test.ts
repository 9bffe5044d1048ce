import { expect, it } from "vitest";
import { nextRate } from "./use-player-keys";

it.each([
  [1, 1, 1.25],
  [1, -1, 0.75],
  [2, 1, 2.25],
  [3, 1, 3],
  [0.5, -1, 0.5],
] as const)("beside %f in direction %i is %f", (rate, step, next) => {
  expect(nextRate(rate, step)).toBe(next);
});
