import { describe, expect, it } from "vitest";
import { layoutSegment } from "./word-layout";

function words(...texts: string[]) {
  return texts.map((text) => ({ start: 0, end: 0, text, confidence: 1 }));
}

const textOf = (pieces: { text: string }[]) => pieces.map(({ text }) => text).join("");

describe("layoutSegment", () => {
  it("keeps the text unchanged", () => {
    const text = "Слово — «основа», так?";
    const pieces = layoutSegment({ text, words: words("Слово", "—", "«основа»,", "так?") });
    expect(textOf(pieces)).toBe(text);
    expect(pieces.filter(({ word }) => word >= 0).map((piece) => piece.text)).toEqual(["Слово", "—", "«основа»,", "так?"]);
  });

  it("needs no spaces between words", () => {
    const pieces = layoutSegment({ text: "今日は晴れ", words: words("今日", "は", "晴れ") });
    expect(pieces).toEqual([
      { text: "今日", word: 0 },
      { text: "は", word: 1 },
      { text: "晴れ", word: 2 },
    ]);
  });

  it("distinguishes repeated words, and skips words that are not in the text", () => {
    const pieces = layoutSegment({ text: "so so good", words: words("so", " so", "very", "good") });
    expect(pieces.filter(({ word }) => word >= 0)).toEqual([
      { text: "so", word: 0 },
      { text: "so", word: 1 },
      { text: "good", word: 3 },
    ]);
  });

  it("does not match an equal word far away", () => {
    const text = "one two three four five six seven eight a";
    const pieces = layoutSegment({ text, words: words("one", "a", "two") });
    expect(pieces.filter(({ word }) => word >= 0).map((piece) => piece.word)).toEqual([0, 2]);
    expect(textOf(pieces)).toBe(text);
  });

  it("returns only text if there are no words", () => {
    expect(layoutSegment({ text: "Без слів.", words: [] })).toEqual([{ text: "Без слів.", word: -1 }]);
  });
});
