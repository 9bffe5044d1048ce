import { expect, it } from "vitest";
import { secondsOfStamp, stampOf, withStamp } from "./time-stamp";

it("formats hours, minutes and whole seconds, rounded down", () => {
  expect(stampOf(754.9)).toBe("[00:12:34]");
  expect(stampOf(100 * 3600 + 1)).toBe("[100:00:01]");
  for (const strange of [-3, Number.NaN, Number.POSITIVE_INFINITY]) expect(stampOf(strange)).toBe("[00:00:00]");
});

it("parses its own format only", () => {
  for (const seconds of [0, 754, 360_001]) expect(secondsOfStamp(stampOf(seconds))).toBe(seconds);
  expect(secondsOfStamp("[00:12:34],")).toBe(754);
  for (const other of ["00:12:34", "[12:34]", "[00:61:00]", "[00:12:34]x", "[99999:00:00]", ""]) {
    expect(secondsOfStamp(other)).toBeNull();
  }
});

it("separates the stamp from words by spaces, with the caret after it", () => {
  const at = (marked: string) => {
    const from = marked.indexOf("|");
    const to = marked.lastIndexOf("|") - (marked.lastIndexOf("|") > from ? 1 : 0);
    const { text, caret } = withStamp(marked.replaceAll("|", ""), from, to, 754);
    return `${text.slice(0, caret)}|${text.slice(caret)}`;
  };
  expect(at("|слово")).toBe("[00:12:34] |слово");
  expect(at("слово|")).toBe("слово [00:12:34] |");
  expect(at("сло|во")).toBe("сло [00:12:34] |во");
  expect(at("одне| друге")).toBe("одне [00:12:34] |друге");
  expect(at("одне |друге")).toBe("одне [00:12:34] |друге");
  expect(at("одне |друге| третє")).toBe("одне [00:12:34] |третє");
  expect(at("|")).toBe("[00:12:34] |");
});
