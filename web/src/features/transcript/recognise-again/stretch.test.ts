import { expect, it } from "vitest";
import type { EditedSegment } from "../document/model";
import { hasWords, overlapping, segmentBefore } from "./stretch";

/** A segment with a word of half a second at each of these seconds. */
const segment = (id: string, start: number, end: number, words: number[]): EditedSegment => ({
  id,
  revision: 0,
  place: { base: Number(id), part: 0 },
  start,
  end,
  text: words.map(() => "так").join(" "),
  words: words.map((at) => ({ text: "так", start: at, end: at + 0.5, confidence: 1 })),
});

const TEXT = [segment("0", 0, 10, [0, 1, 8, 9]), segment("1", 12, 14, [12, 13]), segment("2", 20, 22, [])];

it("finds the segments that a stretch touches", () => {
  expect(overlapping(TEXT, { start: 9, end: 12.5 }).map(({ id }) => id)).toEqual(["0", "1"]);
  expect(overlapping(TEXT, { start: 15, end: 19 })).toEqual([]);
});

it("does not take a pause of a segment for words", () => {
  expect(hasWords(TEXT, { start: 2, end: 7 })).toBe(false);
  expect(hasWords(TEXT, { start: 2, end: 8.3 })).toBe(true);
  expect(hasWords(TEXT, { start: 15, end: 19 })).toBe(false);
});

it("goes by the middle of a segment without word times", () => {
  expect(hasWords(TEXT, { start: 20.5, end: 30 })).toBe(true);
  expect(hasWords(TEXT, { start: 21.5, end: 30 })).toBe(false);
});

it("knows behind which segment a stretch is", () => {
  expect(segmentBefore(TEXT, { start: 3, end: 7 })?.id).toBe("0");
  expect(segmentBefore(TEXT, { start: 15, end: 19 })?.id).toBe("1");
  expect(segmentBefore(TEXT.slice(1), { start: 3, end: 7 })).toBeNull();
});
