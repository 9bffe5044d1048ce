import { describe, expect, it } from "vitest";
import type { SpokenSegment } from "./model";
import { buildTimeline, HOLD_SECONDS, segmentAt, timelineOf, wordAt } from "./timeline";

function segment(index: number, words: [number, number][]): SpokenSegment {
  return {
    index,
    start: words[0]?.[0] ?? 3,
    end: words.at(-1)?.[1] ?? 4,
    speaker: null,
    text: "",
    words: words.map(([start, end], at) => ({ start, end, text: `w${at}`, confidence: 1 })),
  };
}

const SEGMENTS = [
  segment(0, [
    [1, 1.4],
    [1.5, 2],
  ]),
  segment(1, []),
  segment(2, [
    [10, 10.5],
    [10.5, 11],
  ]),
];

describe("the timeline", () => {
  it("numbers words across all segments, including segments without words", () => {
    const timeline = buildTimeline(SEGMENTS);
    expect(timeline.count).toBe(4);
    expect([...timeline.firstWord]).toEqual([0, 2, 2, 4]);
    expect([...timeline.segmentOf]).toEqual([0, 0, 2, 2]);
  });

  it.each([
    [0.99, -1],
    [1, 0],
    [1.45, 0],
    [1.5, 1],
    [2 + HOLD_SECONDS, 1],
    [2.31, -1],
    [9.99, -1],
    [10.5, 3],
    [11.2, 3],
    [99, -1],
  ])("at %f s the word is %i", (seconds, word) => {
    expect(wordAt(buildTimeline(SEGMENTS), seconds)).toBe(word);
  });

  it("finds the segment that started last", () => {
    const timeline = buildTimeline(SEGMENTS);
    expect([0.5, 1, 5, 10, 50].map((at) => segmentAt(timeline, at))).toEqual([-1, 0, 1, 2, 2]);
  });

  it("handles overlapping words and an empty text", () => {
    const timeline = buildTimeline([
      segment(0, [
        [2, 3],
        [1.5, 1.8],
        [3, 4],
      ]),
    ]);
    expect([...timeline.starts]).toEqual([2, 2, 3]);
    expect(wordAt(timeline, 3.5)).toBe(2);
    expect(wordAt(buildTimeline([]), 1)).toBe(-1);
    expect(segmentAt(buildTimeline([]), 1)).toBe(-1);
  });

  it("finds the same as a linear search in 100,000 words", () => {
    const words = Array.from({ length: 100_000 }, (_, at): [number, number] => [at * 0.4, at * 0.4 + 0.35]);
    const timeline = buildTimeline([segment(0, words)]);
    for (const seconds of [0, 0.39, 0.4, 1234.5, 39_999.7]) {
      expect(wordAt(timeline, seconds)).toBe(words.findLastIndex(([start]) => start <= seconds));
    }
  });
});

describe("the timeline after an edit", () => {
  const many = Array.from({ length: 6 }, (_, at) =>
    segment(at, [
      [at * 10, at * 10 + 1],
      [at * 10 + 1, at * 10 + 2],
    ]),
  );

  it.each([
    [
      "an added word",
      many.with(
        2,
        segment(2, [
          [20, 21],
          [21, 22],
          [22, 23],
        ]),
      ),
    ],
    ["a removed last word", many.with(5, segment(5, [[50, 51]]))],
    [
      "a change of the first segment",
      many.with(
        0,
        segment(0, [
          [0.5, 1],
          [1, 2],
          [2, 3],
        ]),
      ),
    ],
    [
      "two changed segments",
      many.with(1, segment(1, [[10, 11]])).with(
        3,
        segment(3, [
          [30, 31],
          [31, 32],
          [33, 34],
        ]),
      ),
    ],
    ["a segment without words", many.with(3, segment(3, []))],
    [
      "words that overlap those of the next segment",
      many.with(
        2,
        segment(2, [
          [20, 21],
          [35, 36],
        ]),
      ),
    ],
    ["a removed segment", many.toSpliced(2, 1)],
  ])("equals a newly built one: %s", (_, segments) => {
    // Words are laid out on first access; the next timeline is derived from this one.
    expect(timelineOf(many).starts).toHaveLength(12);
    expect({ ...timelineOf(segments) }).toEqual(buildTimeline(segments));
    expect(timelineOf(segments)).toBe(timelineOf(segments));
  });
});
