import { expect, it } from "vitest";
import { scriptName, waitInWords } from "./use-error-text";

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

it.each([
  ["Hebr", "en", "Hebrew"],
  ["Hebr", "uk", "іврит"],
  ["no script", "en", "no script"],
  [undefined, "en", ""],
] as const)("names the script %s in %s", (code, locale, name) => {
  expect(scriptName(code, locale).toLowerCase()).toBe(name.toLowerCase());
});
