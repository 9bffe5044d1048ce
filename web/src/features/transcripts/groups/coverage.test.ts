import { expect, test } from "vitest";
import { coverage } from "./coverage";

test.each([
  [[], "none"],
  [[false, false], "none"],
  [[true, false], "some"],
  [[true, true], "all"],
] as const)("of %j it is %s", (rows, expected) => {
  expect(coverage(rows, Boolean)).toBe(expected);
});
