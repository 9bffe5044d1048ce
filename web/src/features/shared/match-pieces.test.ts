import { expect, it } from "vitest";
import { piecesOf } from "./match-pieces";

it("splits a text without losing any of it", () => {
  const pieces = piecesOf("м’яч і м'яч", [
    { from: 0, to: 4 },
    { from: 7, to: 11 },
  ]);
  expect(pieces.map(({ text, found }) => (found ? `[${text}]` : text)).join("")).toBe("[м’яч] і [м'яч]");
  expect(piecesOf("abc", [])).toEqual([{ from: 0, text: "abc", found: false }]);
});
