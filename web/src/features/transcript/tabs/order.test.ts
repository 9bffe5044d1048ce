import { describe, expect, it } from "vitest";
import { confidenceOf, ordered } from "./order";

describe("the table's order", () => {
  it("sorts by confidence, ascending or descending, with unknown ones at the end", () => {
    const figures = [0.9, null, 0.3, 0.9];
    expect(ordered(figures, "time")).toEqual([0, 1, 2, 3]);
    expect(ordered(figures, "unsure-first")).toEqual([2, 0, 3, 1]);
    expect(ordered(figures, "sure-first")).toEqual([0, 3, 2, 1]);
  });

  it("uses the mean of the words", () => {
    const words = [0.5, 1].map((confidence) => ({ text: "а", start: 0, end: 1, confidence }));
    expect(confidenceOf({ words })).toBe(0.75);
    expect(confidenceOf({ words: [] })).toBeNull();
  });
});
