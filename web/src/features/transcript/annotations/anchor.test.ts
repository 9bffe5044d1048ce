import { expect, it } from "vitest";
import type { Annotation } from "@/api";
import type { EditedSegment } from "../document/model";
import { anchorAll, toCharacterOffset, toUtf16Offset } from "./anchor";
import { bookmarkAt, highlightOf } from "./new-mark";

/** A line with words of half a second each. */
function line(id: string, start: number, text: string, timed = true): EditedSegment {
  const words = text.split(" ").map((word, at) => ({
    text: word,
    start: start + at / 2,
    end: start + (at + 1) / 2,
    confidence: 0.9,
  }));
  const end = start + words.length / 2;
  return {
    id,
    revision: 0,
    place: { base: Number(id) || 0, part: 0 },
    start,
    end,
    speaker: null,
    text,
    words: timed ? words : [],
  };
}

const textOf = (segments: EditedSegment[], version = 1) => ({
  segments,
  positions: new Map(segments.map(({ id }, at) => [id, at])),
  version,
});

const stored = (created: ReturnType<typeof highlightOf>): Annotation => {
  if (!created) throw new Error("nothing is marked");
  return { ...created, note: "", created_at: "2026-11-21T09:00:00Z", changed_at: "2026-11-21T09:00:00Z" };
};

/** A highlight of the nth occurrence in a line. */
function mark(of: EditedSegment, quote: string, nth = 0): Annotation {
  let from = of.text.indexOf(quote);
  for (let at = 0; at < nth; at += 1) from = of.text.indexOf(quote, from + 1);
  return stored(highlightOf(of, { segment: of.id, from, to: from + quote.length }, 1, "blue"));
}

/** The highlighted parts of the text, by line. */
function anchoredText(annotation: Annotation, segments: EditedSegment[], version = 1): string[] | "changed" {
  const [anchored] = anchorAll([annotation], textOf(segments, version));
  if (anchored?.changed) return "changed";
  return (anchored?.pieces ?? []).map(({ segment, from, to }) => {
    const text = segments.find(({ id }) => id === segment)?.text ?? "";
    return `${segment}: ${text.slice(from, to)}`;
  });
}

const before = line("1", 0, "так ми знаємо що так було завжди");

it("finds words at their position, and after an edit of the line around them", () => {
  expect(anchoredText(mark(before, "що так"), [before])).toEqual(["1: що так"]);
  const longer = { ...before, text: `Отже, ${before.text}!` };
  expect(anchoredText(mark(before, "що так"), [longer])).toEqual(["1: що так"]);
});

it("finds the right occurrence of repeated words", () => {
  expect(mark(before, "так", 1).start).toBe(2);
  const longer = { ...before, text: `ну ${before.text}` };
  const [anchored] = anchorAll([mark(before, "так", 1)], textOf([longer]));
  expect(anchored?.pieces).toEqual([{ segment: "1", from: 20, to: 23 }]);
});

it("reports removed words with their former position", () => {
  const other = { ...before, text: "так ми знаємо", words: before.words.slice(0, 3) };
  const far = line("2", 60, "так було завжди");
  expect(anchoredText(mark(before, "так було"), [other, far])).toBe("changed");
  // Not the other occurrence.
  expect(anchoredText(mark(line("1", 0, "так а б в г ґ д так"), "так", 1), [line("1", 0, "так а б в г ґ д")])).toBe("changed");
  const [anchored] = anchorAll([mark(before, "так було")], textOf([other, far]));
  expect(anchored?.line).toBe(0);
});

it("finds words after a split of their line, also across the split", () => {
  const first = { ...line("1", 0, "так ми знаємо"), end: 1.5 };
  const second = line("0198aaaa", 1.5, "що так було завжди");
  expect(anchoredText(mark(before, "так було"), [first, second])).toEqual(["0198aaaa: так було"]);
  expect(anchoredText(mark(before, "знаємо що"), [first, second])).toEqual(["1: знаємо", "0198aaaa: що"]);
  expect(anchoredText(mark(before, "так"), [first, second])).toEqual(["1: так"]);
});

it("finds words of a line that was joined with the previous one", () => {
  const next = line("2", 3.5, "і не так теж");
  const joined: EditedSegment = {
    ...before,
    text: `${before.text} ${next.text}`,
    words: [...before.words, ...next.words],
    end: next.end,
  };
  expect(anchoredText(mark(next, "не так"), [joined])).toEqual(["1: не так"]);
  // Without word times the line's time is used.
  expect(anchoredText(mark(next, "не так"), [{ ...joined, words: [] }])).toEqual(["1: не так"]);
});

it("finds words in another run by time, regardless of line ids", () => {
  const run = [line("0", 0, "Так,"), line("1", 40, "що так було"), line("2", 1.2, "ми знаємо, що так було завжди.")].sort(
    (a, b) => a.start - b.start,
  );
  expect(anchoredText(mark(before, "так було"), run, 2)).toEqual(["2: так було"]);
  expect(anchoredText(mark(before, "ми знаємо що"), run, 2)).toBe("changed");
});

it("treats special characters literally", () => {
  const hostile = line("1", 0, "<img src=x onerror=alert(1)> 👩‍💻 .*+?^$&{}()|[]\\ \u202eabc кінець");
  for (const quote of ["<img src=x", "👩‍💻", ".*+?^$&{}()|[]\\", "abc кінець"]) {
    const annotation = mark(hostile, quote);
    expect(anchoredText(annotation, [hostile])).toEqual([`1: ${quote}`]);
    expect([...hostile.text].slice(annotation.offset).join("").startsWith(quote)).toBe(true);
  }
  expect(anchoredText({ ...mark(hostile, "abc"), quote: "" }, [hostile])).toBe("changed");
  expect(anchoredText({ ...mark(hostile, "abc"), offset: 4_000_000_000, start: -5, end: 1e9 }, [hostile])).toBe("changed");
  expect(anchorAll([mark(hostile, "abc")], textOf([]))[0]).toMatchObject({ changed: true, line: -1 });
});

it("counts characters like the server", () => {
  expect(toCharacterOffset("a👍б", 3)).toBe(2);
  expect(toUtf16Offset("a👍б", 2)).toBe(3);
  expect(toUtf16Offset("a👍б", 99)).toBe(4);
});

it("keeps a bookmark at its time after any change of the words", () => {
  const next = line("2", 3.5, "і не так теж");
  const bookmark = stored(bookmarkAt([before, next], 4.2, 1, "pink"));
  expect(bookmark).toMatchObject({ segment: "2", quote: "не так теж", start: 4.2, end: 4.2, offset: 2 });
  const at = (segments: EditedSegment[], version = 1) => anchorAll([bookmark], textOf(segments, version))[0];
  expect(at([before, { ...next, text: "щось інше" }])).toMatchObject({ line: 1, changed: false });
  expect(at([{ ...before, end: 9 }])).toMatchObject({ line: 0, changed: false });
  expect(at([line("0", 0, "а"), line("1", 4, "б"), line("2", 9, "в")], 2)).toMatchObject({ line: 1 });
  expect(bookmarkAt([], 3, 1, "pink")).toBeNull();
});

it("sorts marks in the order of the recording", () => {
  const marks = [mark(before, "завжди"), mark(before, "ми")];
  expect(anchorAll(marks, textOf([before])).map(({ mark: { quote } }) => quote)).toEqual(["ми", "завжди"]);
});
