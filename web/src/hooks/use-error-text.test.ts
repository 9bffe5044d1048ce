import { expect, it } from "vitest";
import { waitInWords } from "./use-error-text";

it.each([
  [1, "seconds", 1],
  [90, "seconds", 90],
  [91, "minutes", 2],
  [900, "minutes", 15],
  [5400, "minutes", 90],
  [5401, "hours", 2],
  [86_400, "hours", 24],
] as const)("says %i seconds as people would", (seconds, unit, count) => {
  expect(waitInWords(seconds)).toEqual({ unit, count });
});
