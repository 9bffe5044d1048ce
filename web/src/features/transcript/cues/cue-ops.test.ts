import { expect, it } from "vitest";
import type { EditedSegment, EditOp, HandCue } from "../document/model";
import type { PlacedCue } from "../tabs/cues";
import { breakLine, insertLine, joinWithNext, manualCues, resetCues, splitCue, timesProblem, withTimes } from "./cue-ops";

const TEXT = "Ми їхали довго. Потім 🚂 спинився, і всі вийшли.";

function segment(more: Partial<EditedSegment> = {}): EditedSegment {
  return { id: "7", revision: 3, place: { base: 7, part: 0 }, start: 1, end: 7, speaker: null, text: TEXT, words: [], ...more };
}

/** The cues of a line as placed automatically, split at these UTF-16 offsets. */
function placed(of: EditedSegment, ...spans: [from: number, to: number, start: number, end: number][]): PlacedCue[] {
  return spans.map(([from, to, start, end], part) => ({
    segment: of,
    part,
    parts: spans.length,
    from,
    to,
    start,
    end,
    head: "",
    lines: [of.text.slice(from, to)],
  }));
}

const second = TEXT.indexOf("Потім");
const two = (of = segment()) => placed(of, [0, 15, 1, 3], [second, TEXT.length, 3.2, 7]);

const cuesOf = (op: EditOp | null): HandCue[] => {
  expect(op).toMatchObject({ kind: "set_cues", segment: { id: "7", revision: 3 } });
  return op?.kind === "set_cues" ? op.cues : [];
};

it("keeps the other cues of a line at their current positions", () => {
  expect(cuesOf(withTimes(two(), 1, 3.5, 6.9996))).toEqual([
    { at: 0, start: 1, end: 3, breaks: [] },
    { at: second, start: 3.5, end: 7, breaks: [] },
  ]);
});

it("makes no edit if the times are unchanged", () => {
  expect(withTimes(two(), 0, 1, 3)).toBeNull();
  expect(withTimes(two(), 0, 1.0002, 3)).toBeNull();
});

it("keeps manual cues", () => {
  const hands = [{ at: 0, start: 1, end: 6, breaks: [second] }];
  const cues = placed(segment({ cues: hands }), [0, TEXT.length, 1, 6]);
  expect(manualCues(cues)).toEqual(hands);
  expect(cuesOf(withTimes(cues, 0, 2, 6))).toEqual([{ at: 0, start: 2, end: 6, breaks: [second] }]);
});

it.each([
  [1, { start: 3.2, end: 3.2 }, "order"],
  [1, { start: 4, end: 3 }, "order"],
  [1, { start: 3.2, end: 9.5 }, "outside"],
  [0, { start: -0.5, end: 2 }, "outside"],
  [1, { start: 2.9, end: 6 }, "overlap"],
  [0, { start: 1, end: 3.3 }, "overlap"],
  [0, { start: 0, end: 3.2 }, null],
  [1, { start: 3, end: 9 }, null],
] as const)("cue %i to %j: %s", (part, span, problem) => {
  expect(timesProblem(two(), part, span, 9)).toBe(problem);
});

it("splits a cue at the caret, but not inside a surrogate pair", () => {
  const [first, middle, last] = cuesOf(splitCue(two(), TEXT.indexOf("спинився")));
  expect(first).toEqual({ at: 0, start: 1, end: 3, breaks: [] });
  // The train emoji has two UTF-16 units.
  expect(last?.at).toBe(TEXT.indexOf("спинився") - 1);
  expect(middle).toMatchObject({ at: second, start: 3.2 });
  expect(last?.end).toBe(7);
  expect((last?.start ?? 0) - (middle?.end ?? 0)).toBeCloseTo(0.08, 6);
});

it("splits a cue at the time of the word", () => {
  const words = TEXT.split(" ").map((text, at) => ({ text, start: 1 + at * 0.6, end: 1.5 + at * 0.6, confidence: 1 }));
  const cues = placed(segment({ words }), [0, TEXT.length, 1, 7]);
  const [, later] = cuesOf(splitCue(cues, second));
  expect(later?.start).toBeCloseTo(1 + 3 * 0.6, 6);
});

it("does not split at the ends of a cue, or if a part would be too short", () => {
  expect(splitCue(two(), 0)).toBeNull();
  expect(splitCue(two(), second)).toBeNull();
  expect(splitCue(two(), TEXT.length)).toBeNull();
  expect(splitCue(placed(segment(), [0, TEXT.length, 1, 1.05]), second)).toBeNull();
});

it("distributes line breaks when splitting, and adds one when joining", () => {
  const breaks = [second, TEXT.indexOf("і всі") - 1];
  const cues = placed(segment({ cues: [{ at: 0, start: 1, end: 7, breaks }] }), [0, TEXT.length, 1, 7]);
  const parted = cuesOf(splitCue(cues, second));
  expect(parted.map((cue) => cue.breaks)).toEqual([[], [breaks[1]]]);
  const parts = segment({ cues: parted });
  const joined = joinWithNext(placed(parts, [0, 15, 1, 3], [second, TEXT.length, 3, 7]), 0);
  expect(cuesOf(joined)).toEqual([{ at: 0, start: 1, end: 7, breaks }]);
});

it("joins cues of one line, but not the last one with the next line", () => {
  expect(cuesOf(joinWithNext(two(), 0))).toEqual([{ at: 0, start: 1, end: 7, breaks: [] }]);
  expect(joinWithNext(two(), 1)).toBeNull();
});

it("inserts a line break at the caret, and removes it there", () => {
  const place = TEXT.indexOf("і всі");
  const op = breakLine(two(), place - 1);
  // The space before the caret stays in the first line.
  expect(cuesOf(op)[1]?.breaks).toEqual([place - 1]);
  const hands = cuesOf(op);
  const removed = breakLine(placed(segment({ cues: hands }), [0, 15, 1, 3], [second, TEXT.length, 3.2, 7]), place);
  expect(cuesOf(removed)[1]?.breaks).toEqual([]);
  expect(breakLine(two(), second)).toBeNull();
  expect(breakLine(two(), TEXT.length)).toBeNull();
});

it("limits a cue to four lines", () => {
  const hands = [{ at: 0, start: 1, end: 7, breaks: [3, 9, second] }];
  expect(breakLine(placed(segment({ cues: hands }), [0, TEXT.length, 1, 7]), TEXT.indexOf("вийшли"))).toBeNull();
});

it("resets to automatic placement only if there are manual cues", () => {
  expect(resetCues(segment())).toBeNull();
  expect(cuesOf(resetCues(segment({ cues: [{ at: 0, start: 1, end: 2, breaks: [] }] })))).toEqual([]);
});

it("inserts a line after the last one that starts before it", () => {
  const [firstLine, nextLine] = [segment({ id: "0", start: 1 }), segment({ id: "1", start: 5 })];
  const line = { start: 3.00049, end: 4, text: "Так.", speaker: "SPEAKER_0" };
  expect(insertLine([firstLine, nextLine], line, "new")).toEqual({
    kind: "insert",
    new_segment: "new",
    after: { id: "0", revision: 3 },
    start: 3,
    end: 4,
    text: "Так.",
    speaker: "SPEAKER_0",
  });
  expect(insertLine([firstLine, nextLine], { ...line, start: 0.5 }, "new")).toMatchObject({ after: null });
});
