import { expect, it } from "vitest";
import type { StoredEdit } from "./model";
import { type LastEdits, newVisitors } from "./visitors";

const edit = (name: string, share: string | null, start?: number): StoredEdit =>
  ({
    author: { name, share: share === null ? null : { id: share, created_at: "2026-11-21T09:00:00Z" } },
    changes: start === undefined ? [] : [{ id: "1", segment: { start } }],
  }) as unknown as StoredEdit;

it("reports each visitor once, with the line, and no account users", () => {
  const lastEdits: LastEdits = new Map();
  const edits = [edit("Олена", "a", 4), edit("Олена", null, 5), edit("Олена", "a", 8), edit("Олена", "b")];
  expect(newVisitors(edits, lastEdits, 0)).toEqual([
    { name: "Олена", start: 4 },
    { name: "Олена", start: undefined },
  ]);
  expect(newVisitors([edit("Олена", "a", 9)], lastEdits, 600_000)).toEqual([]);
  expect(newVisitors([edit("Олена", "a", 9)], lastEdits, 1_200_001)).toEqual([{ name: "Олена", start: 9 }]);
});
