// @vitest-environment node
// The fake server of the browser tests must refuse what the real one refuses, so that those tests can cover conflicts.
import { expect, it } from "vitest";
// biome-ignore lint/style/noRestrictedImports: the fake server is part of the browser tests, outside of src.
import { TranscriptWorld } from "../../../../e2e/transcript-world";
import type { EditedSegment, EditOp } from "./model";

type Job = ConstructorParameters<typeof TranscriptWorld>[0];

const line = (at: number): EditedSegment => ({
  id: String(at),
  revision: 2,
  place: { base: at, part: 0 },
  start: at,
  end: at + 1,
  speaker: null,
  text: "раз",
  words: [],
});

it.each<(revision: number) => EditOp>([
  (revision) => ({ kind: "set_times", times: [{ segment: { id: "1", revision }, start: 1, end: 1.5 }] }),
  (revision) => ({ kind: "correct_cues", segments: [{ segment: { id: "1", revision }, cues: [] }] }),
  (revision) => ({ kind: "set_cues", segment: { id: "1", revision }, cues: [] }),
])("refuses edit %# of a line that has changed", (op) => {
  const world = new TranscriptWorld({} as Job, [line(0), line(1)], []);
  world.write(op(2));
  expect(() => world.write(op(2))).toThrow(
    expect.objectContaining({
      status: 409,
      code: "edit_conflict",
      more: { conflicts: [{ id: "1", segment: world.segments[1] }] },
    }),
  );
});
