import { expect, it } from "vitest";
import { wordAtOffset, wordRange } from "./word-range";

const words = (...texts: string[]) => texts.map((text) => ({ text, start: 0, end: 1, confidence: 0.4 }));
const segment = { text: "Так, — сказав він", words: words("Так,", "сказав", "він") };

it("finds the word at the caret or directly before it", () => {
  for (const word of [0, 1, 2]) {
    const { from, to } = wordRange(segment, word);
    for (const offset of [from + 1, to]) {
      expect(wordAtOffset(segment, offset)).toBe(word);
    }
  }
  expect(wordAtOffset(segment, 0)).toBe(0);
  expect(wordAtOffset(segment, wordRange(segment, 1).from)).toBe(1);
});

it("finds none between words", () => {
  expect(wordAtOffset(segment, "Так, ".length)).toBe(-1);
  expect(wordAtOffset({ text: "", words: [] }, 0)).toBe(-1);
});
