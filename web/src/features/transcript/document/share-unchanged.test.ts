import { expect, it } from "vitest";
import { textOf } from "./apply";
import type { EditedSegment } from "./model";
import { shareUnchanged } from "./share-unchanged";

const segment = (at: number, change: Partial<EditedSegment> = {}): EditedSegment => ({
  id: String(at),
  revision: 0,
  place: { base: at, part: 0 },
  start: at,
  end: at + 1,
  speaker: "SPEAKER_0",
  text: `слово ${at}`,
  words: [{ text: "слово", start: at, end: at + 0.5, confidence: 0.9 }],
  ...change,
});

const SPEAKERS = [{ id: "SPEAKER_0", name: null }];
const text = () => textOf([segment(0), segment(1), segment(2)], SPEAKERS);

it("keeps all objects if a response is equal", () => {
  const before = text();
  const shared = shareUnchanged(before, textOf(structuredClone(before.segments), structuredClone(before.speakers)));
  expect(shared.segments).toBe(before.segments);
  expect(shared.positions).toBe(before.positions);
  expect(shared.speakers).toBe(before.speakers);
});

it("adopts an acknowledged revision, and keeps equal words", () => {
  const before = text();
  const shared = shareUnchanged(before, textOf([segment(0), segment(1, { revision: 1 }), segment(2)], SPEAKERS));
  expect(shared.segments[1]).toEqual(segment(1, { revision: 1 }));
  expect(shared.segments[1]?.words).toBe(before.segments[1]?.words);
  expect(shared.segments[0]).toBe(before.segments[0]);
  expect(shared.positions).toBe(before.positions);
});

it.each<[string, Partial<EditedSegment>]>([
  ["a text", { text: "інше" }],
  ["a speaker", { speaker: null }],
  ["a language", { language: "ru" }],
  ["a time", { end: 9 }],
  ["a place", { place: { base: 1, part: 7 } }],
  ["a confidence", { words: [{ text: "слово", start: 1, end: 1.5, confidence: 0.2 }] }],
])("adopts %s that has changed", (_, change) => {
  const after = segment(1, { revision: 1, ...change });
  expect(shareUnchanged(text(), textOf([segment(0), after, segment(2)], SPEAKERS)).segments[1]).toEqual(after);
});

it("keeps known segments when others were added or removed", () => {
  const before = text();
  const fewer = shareUnchanged(before, textOf([segment(0), segment(2)], SPEAKERS));
  expect(fewer.segments).toEqual([segment(0), segment(2)]);
  expect(fewer.segments[1]).toBe(before.segments[2]);
  expect(fewer.positions.get("2")).toBe(1);
});

it("adopts a speaker's new name", () => {
  const named = [{ id: "SPEAKER_0", name: "Тетяна" }];
  expect(shareUnchanged(text(), textOf(text().segments, named)).speakers).toEqual(named);
});
