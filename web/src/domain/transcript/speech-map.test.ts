import { describe, expect, it } from "vitest";
import type { SpokenSegment } from "./model";
import { speechMap } from "./speech-map";

function segment(start: number, end: number, text: string, words: SpokenSegment["words"] = []): SpokenSegment {
  return { index: 0, start, end, speaker: null, text, words };
}

describe("the speech map", () => {
  it("is 0 without speech and 1 where it is densest", () => {
    expect(speechMap([segment(0, 1, "aaaa"), segment(3, 4, "aa")], 4, 4)).toEqual([1, 0, 0, 0.5]);
  });

  it("distributes a long segment over the ranges that it covers", () => {
    expect(speechMap([segment(0, 4, "aaaa")], 4, 4)).toEqual([1, 1, 1, 1]);
  });

  it("uses word times if there are any", () => {
    const words = [{ start: 0, end: 0.5, text: "a", confidence: 1 }];
    expect(speechMap([segment(0, 4, "a", words)], 4, 4)).toEqual([1, 0, 0, 0]);
  });

  it("handles no segments, an unknown duration and times past the end", () => {
    expect(speechMap([], 10, 3)).toEqual([0, 0, 0]);
    expect(speechMap([segment(0, 1, "a")], 0, 2)).toEqual([0, 0]);
    expect(speechMap([segment(9, 12, "a")], 10, 2)).toEqual([0, 1]);
  });
});
