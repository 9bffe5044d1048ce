import { expect, it } from "vitest";
import type { SpokenSegment } from "@/domain/transcript/model";
import { countUnsure, unsureWords } from "./unsure";

const segment = (...confidences: number[]): SpokenSegment => ({
  start: 0,
  end: 1,
  speaker: null,
  text: "",
  words: confidences.map((confidence) => ({ text: "слово", start: 0, end: 1, confidence })),
});

it("counts uncertain words after edits, splits and in other texts", () => {
  const text = [segment(0.2, 0.9), segment(0.9), segment(0.1, 0.1)];
  for (const segments of [
    text,
    text.with(1, segment(0.3, 0.3, 0.9)),
    text.with(0, segment()),
    text.with(0, segment()),
    text.toSpliced(2, 1, segment(0.1), segment(0.1)),
    [],
    text,
  ]) {
    expect(countUnsure(segments)).toBe(unsureWords(segments).length);
  }
});
