import { expect, it } from "vitest";
import { subtitleLimits } from "@/rules/text";
import type { EditedSegment } from "../document/model";
import { cuesAt, overLimits } from "./cues";

const segment = (id: number, start: number, end: number, text = "Так."): EditedSegment => ({
  id: String(id),
  revision: 0,
  place: { base: id, part: 0 },
  start,
  end,
  speaker: null,
  text,
  words: [],
});

const times = (segments: EditedSegment[], at: number, duration: number) =>
  cuesAt(segments, at, duration).map(({ start, end }) => [start, end]);

const { min_seconds: least } = subtitleLimits();

it("gives a short subtitle the time that is there, as the files do", () => {
  const segments = [segment(0, 1, 1.2), segment(1, 1.5, 4), segment(2, 8.44, 9)];
  expect(times(segments, 0, 9)).toEqual([[1, 1.5]]);
  expect(times(segments, 1, 9)).toEqual([[1.5, 4]]);
  expect(times(segments, 2, 9)[0]?.[0]).toBeCloseTo(9 - least);
  expect(times(segments, 2, 60)[0]?.[1]).toBeCloseTo(8.44 + least);
});

it("makes a subtitle again when what follows it has moved, and not otherwise", () => {
  const [first, second] = [segment(0, 1, 1.2), segment(1, 5, 6)];
  const made = cuesAt([first, second], 0, 9);
  expect(cuesAt([first, segment(1, 5, 6, "Інше.")], 0, 9)).toBe(made);
  expect(times([first, segment(1, 1.4, 6)], 0, 9)).toEqual([[1, 1.4]]);
});

it("counts what is over the limits with the time that the files give", () => {
  const fast = segment(0, 1, 1.2, "Дванадцять!");
  expect(overLimits([fast, segment(1, 1.3, 4)], 0, 9)).toBe(1);
  expect(overLimits([fast, segment(1, 3, 4)], 0, 9)).toBe(0);
});
