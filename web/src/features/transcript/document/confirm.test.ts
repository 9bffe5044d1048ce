import { expect, it } from "vitest";
import { apply, segmentOf, textOf } from "./apply";
import { resolveConflicts } from "./conflicts";
import type { EditedSegment, EditOp } from "./model";
import { afterAnswer, enqueue, nextBatch, type Pending } from "./pending";

const segment: EditedSegment = {
  id: "0",
  revision: 2,
  place: { base: 0, part: 0 },
  start: 0,
  end: 2,
  speaker: null,
  text: "до Києва",
  words: [
    { text: "до", start: 0, end: 1, confidence: 0.9 },
    { text: "Києва", start: 1, end: 2, confidence: 0.2 },
  ],
};

const text = textOf([segment], []);
const confirm = (...words: number[]): EditOp => ({ kind: "confirm_words", segment: { id: "0", revision: 2 }, words });
const pending = (edit_id: string, op: EditOp): Pending => ({
  edit: { edit_id, op },
  version: 1,
  sent: false,
  seen: { "0": { text: "до Києва", speaker: null } },
});
const sureness = (of: typeof text) => segmentOf(of, "0")?.words.map(({ confidence }) => confidence);

it("confirms a word, and changes nothing else in the segment", () => {
  const after = apply(text, confirm(1));
  expect(sureness(after)).toEqual([0.9, 1]);
  expect({ ...segmentOf(after, "0"), words: segment.words }).toEqual(segment);
  expect(after.positions).toBe(text.positions);
});

it("does not change a text without such a word or segment", () => {
  expect(apply(text, confirm(2))).toBe(text);
  expect(apply(textOf([], []), confirm(0)).segments).toEqual([]);
});

it("is sent after the text on which it is based, with the text's new revision", () => {
  const before = pending("a", { kind: "set_text", segment: { id: "0", revision: 2 }, text: "до Львова" });
  const queue = enqueue([before], pending("b", confirm(1)));
  expect(nextBatch(queue)).toEqual([before]);
  const [rebased] = afterAnswer(queue.slice(1), [{ id: "0", segment: { ...segment, revision: 3 } }]);
  expect(rebased?.edit.op).toEqual({ ...confirm(1), segment: { id: "0", revision: 3 } });
});

it("is resent after a change of speaker, but not after a change of text", () => {
  const settled = (now: EditedSegment) =>
    resolveConflicts([pending("a", confirm(1))], {
      changed: new Set(["0"]),
      now: () => now,
      mine: () => "",
      behind: () => null,
      newId: () => "b",
    });
  const resolved = settled({ ...segment, revision: 3, speaker: "SPEAKER_1" });
  expect(resolved).toMatchObject({
    dropped: false,
    queue: [{ edit: { edit_id: "b", op: { words: [1], segment: { revision: 3 } } } }],
  });
  expect(settled({ ...segment, revision: 3, text: "до Львова" })).toMatchObject({ dropped: true, queue: [], conflicts: [] });
});
