import { expect, it } from "vitest";
import type { History } from "@/api";
import { chaptersOf, currentPoint, previousPoint } from "./points";

const run = (version: number, seq: number) => ({ version, seq }) as History["runs"][number];
const session = (version: number, from_seq: number, to_seq: number) =>
  ({ version, from_seq, to_seq }) as History["sessions"][number];
const mark = (version: number, seq: number, id: string) => ({ version, seq, id }) as History["marks"][number];

const HISTORY = {
  shown: 2,
  runs: [run(1, 9), run(2, 4)],
  sessions: [session(1, 1, 5), session(1, 6, 9), session(2, 1, 4)],
  marks: [mark(1, 5, "first"), mark(1, 9, "second")],
};

const chapters = chaptersOf(HISTORY);
const entry = (key: string) => {
  const match = chapters.flatMap(({ entries }) => entries).find((candidate) => candidate.key === key);
  if (!match) throw new Error(key);
  return match;
};

it("lists the newest first, a named version above its edits, and the recognised text last", () => {
  expect(chapters.map(({ entries }) => entries.map(({ key }) => key))).toEqual([
    ["2 edits 1", "2 recognised"],
    ["1 mark second", "1 edits 6", "1 mark first", "1 edits 1", "1 recognised"],
  ]);
});

it("finds the current state", () => {
  expect(currentPoint(HISTORY)).toEqual({ version: 2, at: 4 });
});

it.each([
  ["1 edits 6", { version: 1, at: 5 }],
  ["1 edits 1", { version: 1, at: 0 }],
  ["1 mark second", { version: 1, at: 5 }],
  ["1 mark first", { version: 1, at: 0 }],
  ["2 recognised", { version: 1, at: 9 }],
  ["1 recognised", null],
])("the state before %s is %j", (key, point) => {
  expect(previousPoint(chapters, entry(key))).toEqual(point);
});
