import { describe, expect, it } from "vitest";
import type { SpokenSegment } from "./model";
import { buildTimeline } from "./timeline";
import { moveCursor } from "./word-cursor";

function segment(index: number, count: number): SpokenSegment {
  const words = Array.from({ length: count }, (_, at) => ({
    start: index * 10 + at,
    end: index * 10 + at + 1,
    text: "w",
    confidence: 1,
  }));
  return { index, start: index * 10, end: index * 10 + count, speaker: null, text: "", words };
}

// Words 0 1 2 | (none) | 3 4
const TIMELINE = buildTimeline([segment(0, 3), segment(1, 0), segment(2, 2)]);

describe("the word cursor", () => {
  it.each([
    [0, "ArrowRight", 1],
    [4, "ArrowRight", 4],
    [0, "ArrowLeft", 0],
    [3, "ArrowLeft", 2],
    [1, "ArrowDown", 3],
    [4, "ArrowDown", 4],
    [4, "ArrowUp", 3],
    [3, "ArrowUp", 0],
    [2, "ArrowUp", 0],
    [0, "ArrowUp", 0],
    [-1, "ArrowRight", 1],
    [0, "x", null],
  ])("from %i by %s to %s", (word, key, expected) => {
    expect(moveCursor(TIMELINE, word, key)).toBe(expected);
  });

  it("does not move in a text without words", () => {
    expect(moveCursor(buildTimeline([segment(0, 0)]), 0, "ArrowRight")).toBeNull();
  });
});
