import { expect, it } from "vitest";
import type { EditedSegment } from "../document/model";
import { type CueText, cuesAt, overLimitsAt } from "../tabs/cues";
import { correctCues } from "./correct-cues";

const segment = (id: number, cue?: [start: number, end: number]): EditedSegment => ({
  id: String(id),
  revision: id,
  place: { base: id, part: 0 },
  start: 4 * id,
  end: 4 * id + 2,
  speaker: null,
  text: "Так.",
  words: [],
  ...(cue && { cues: [{ at: 0, start: cue[0], end: cue[1], breaks: [] }] }),
});
const textOf = (segments: EditedSegment[]): CueText => ({ segments, speakers: [], duration: 1_000 });

function corrected(text: CueText) {
  const steps = correctCues(text);
  const done: number[] = [];
  let step = steps.next();
  while (!step.done) {
    done.push(step.value);
    step = steps.next();
  }
  return { ...step.value, done };
}

it("corrects all lines that exceed a limit in a long text, and reports progress", () => {
  const short = [3, 60, 99];
  const text = textOf(
    Array.from({ length: 100 }, (_, at) => segment(at, short.includes(at) ? [4 * at, 4 * at + 0.2] : undefined)),
  );
  const { edits, before, after, changes, done } = corrected(text);
  expect([before, after]).toEqual([3, 0]);
  expect(edits.map((edit) => edit.segment)).toEqual(short.map((at) => ({ id: String(at), revision: at })));
  expect(changes.map((change) => [change.segment, change.before[0]?.end])).toEqual(
    short.map((at) => [String(at), cuesAt(text, at)[0]?.end]),
  );
  expect(changes.every((change) => (change.after[0]?.end ?? 0) - (change.after[0]?.start ?? 0) >= 1)).toBe(true);
  expect(done.length).toBeGreaterThan(100);
  expect(done).toEqual([...done].sort((a, b) => a - b));
});

it("does not change a text within the limits", () => {
  const { edits, before, after, changes } = corrected(textOf(Array.from({ length: 60 }, (_, at) => segment(at))));
  expect([edits, before, after, changes]).toEqual([[], 0, 0, []]);
});

it("keeps a gap to the last subtitle of the previous block", () => {
  // The 25th line starts a block of lines that are timed together.
  const text = textOf(Array.from({ length: 30 }, (_, at) => segment(at, at === 23 ? [92, 95.99] : undefined)));
  const near = { ...text, segments: text.segments.with(24, segment(24, [96, 98])) };
  expect(overLimitsAt(near, 24).map(({ findings }) => findings.map(({ kind }) => kind))).toEqual([["gap"]]);
  expect(corrected(near)).toMatchObject({ before: 1, after: 0 });
});
