import { expect, it } from "vitest";
import type { SpokenSegment } from "@/domain/transcript/model";
import { NOBODY, talkTimes } from "./talk-time";

const segment = (start: number, end: number, speaker: string | null, text = ""): SpokenSegment => ({
  start,
  end,
  speaker,
  text,
  words: [],
});

it("stays the same object while only words change", () => {
  const text = [segment(0, 2, "SPEAKER_0"), segment(2, 3, "SPEAKER_1"), segment(3, 5, "SPEAKER_0"), segment(5, 6, null)];
  const times = talkTimes(text);
  expect([...times]).toEqual([
    ["SPEAKER_0", 4],
    ["SPEAKER_1", 1],
    [NOBODY, 1],
  ]);
  const edited = text.with(1, segment(2, 3, "SPEAKER_1", "інше"));
  expect(talkTimes(edited)).toBe(times);
  expect(talkTimes(edited.with(1, segment(2, 3, "SPEAKER_0"))).get("SPEAKER_0")).toBe(5);
  expect(talkTimes(edited.toSpliced(0, 1)).get("SPEAKER_0")).toBe(2);
});

it("counts overlapping segments of one speaker once, like the statistics", () => {
  // The same data as in the tests of the statistics.
  const times = talkTimes([
    segment(0, 10, "Ann"),
    segment(12, 20, "Ann"),
    segment(19, 25, "Bob"),
    segment(30, 40, "Ann"),
    segment(35, 36, "Bob"),
    segment(12, 19.5, "Ann"),
  ]);
  expect([...times]).toEqual([
    ["Ann", 28],
    ["Bob", 7],
  ]);
});
