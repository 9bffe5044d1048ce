import { describe, expect, it } from "vitest";
import { secondFromUrl, secondInText } from "./second-from-url";

describe("the second in a URL", () => {
  it.each([
    ["t=12", 12],
    ["t=80.01999999999991", 80.01999999999991],
    ["t=0", 0],
    ["", null],
    ["t=", null],
    ["t=-5", null],
    ["t=NaN", null],
    ["t=Infinity", null],
    ["t=1e309", null],
    ["t=5e1", null],
    ["t=5&t=9", null],
    ["t[]=5", null],
    ["t=99999999999999999999", null],
  ])("in %s is %s", (query, seconds) => {
    expect(secondFromUrl(new URLSearchParams(query))).toBe(seconds);
  });

  it.each([
    [5, 5],
    [9.99, 10],
    [9.9, 9.9],
    [500, 20],
  ])("%s is clamped to the text at %s", (requested, seconds) => {
    expect(secondInText({ segmentStarts: Float64Array.of(0.4, 10, 20) }, requested, 30)).toBe(seconds);
  });
});
