import { expect, test } from "vitest";
import { codePointsBefore, type EditedSegment, rangesByText, splitSegment, withReplaced } from "@/rules/text";

test("finds a query in all texts that contain it, ignoring the kind of apostrophe and case", () => {
  const ranges = rangesByText(["Об’єкт", "", "один об'єкт, ОБʼЄКТ"], "об’єкт");
  expect([...ranges]).toEqual([
    [0, [{ from: 0, to: 6 }]],
    [
      2,
      [
        { from: 5, to: 11 },
        { from: 13, to: 19 },
      ],
    ],
  ]);
  expect(rangesByText(["а"], " ").size).toBe(0);
});

test("replaces the matches and leaves the rest unchanged", () => {
  const text = "😀 Так, так!";
  const ranges = rangesByText([text], "так").get(0) ?? [];
  expect(withReplaced(text, ranges, "ні")).toBe("😀 ні, ні!");
  expect(withReplaced(text, [], "ні")).toBe(text);
});

test("converts a caret to code points, and a segment is split there", () => {
  expect(codePointsBefore("😀 так", 3)).toBe(2);
  expect(codePointsBefore("😀 так", 1)).toBe(0);
  expect(codePointsBefore("так", 99)).toBe(3);
  const segment: EditedSegment = {
    id: "0",
    revision: 0,
    place: { base: 0, part: 0 },
    start: 0,
    end: 4,
    speaker: null,
    text: "😀 так",
    words: [],
  };
  const halves = splitSegment(segment, codePointsBefore(segment.text, 3), "id", 5);
  expect([halves?.first.text, halves?.second.text]).toEqual(["😀", "так"]);
});
