import { describe, expect, it } from "vitest";
import { pieces } from "./marked-text";

const markedText = (text: string, ranges: number[][]) =>
  pieces(text, ranges)
    .map(({ words, marked }) => (marked ? `[${words}]` : words))
    .join("");

describe("marked matches", () => {
  it("are at the positions of the ranges", () => {
    expect(markedText("новий музей", [[6, 11]])).toBe("новий [музей]");
    expect(
      markedText("😀 музей, музей", [
        [3, 8],
        [10, 15],
      ]),
    ).toBe("😀 [музей], [музей]");
    expect(markedText("музей", [])).toBe("музей");
    expect(markedText("", [[0, 0]])).toBe("");
  });

  it("never lose or repeat a character, for any ranges", () => {
    for (const ranges of [
      [[3, 1]],
      [[0, 99]],
      [
        [2, 4],
        [1, 3],
      ],
      [[-2, 2]],
      [[]],
    ]) {
      expect(
        pieces("музей", ranges)
          .map(({ words }) => words)
          .join(""),
      ).toBe("музей");
    }
  });
});
