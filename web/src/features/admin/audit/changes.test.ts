import { expect, it } from "vitest";
import { changesOf, listChange } from "./changes";

it("returns only the changed fields", () => {
  expect(
    changesOf({ name: "A", price: 5, limits: { max: 1, min: 0 } }, { name: "A", price: 6, limits: { max: 2, min: 0 } }),
  ).toEqual([
    { path: "price", before: 5, after: 6 },
    { path: "limits.max", before: 1, after: 2 },
  ]);
});

it("returns added and removed fields", () => {
  expect(changesOf(null, { name: "A", note: null })).toEqual([{ path: "name", before: undefined, after: "A" }]);
  expect(changesOf({ name: "A", of: { id: 1 } }, null)).toEqual([
    { path: "name", before: "A", after: undefined },
    { path: "of.id", before: 1, after: undefined },
  ]);
});

it("compares lists and plain values as a whole", () => {
  expect(changesOf({ all: [1, 2] }, { all: [1, 2] })).toEqual([]);
  expect(changesOf({ all: [1, 2] }, { all: [2] })).toEqual([{ path: "all", before: [1, 2], after: [2] }]);
  expect(changesOf("a", "b")).toEqual([{ path: "value", before: "a", after: "b" }]);
  expect(changesOf(null, null)).toEqual([]);
  expect(changesOf([{}], "x")).toEqual([{ path: "value", before: [{}], after: "x" }]);
});

it("returns removed and added words of lists", () => {
  const moved = (before: unknown, after: unknown) => listChange({ path: "features", before, after });
  expect(moved(["a", "b"], ["b", "c"])).toEqual({ gone: ["a"], come: ["c"] });
  expect(moved([], ["a"])).toEqual({ gone: [], come: ["a"] });
  expect(moved(["a", "b"], ["b", "a"])).toBeNull();
  expect(moved(["a", "a"], ["a"])).toBeNull();
  expect(moved(undefined, ["a"])).toBeNull();
  expect(moved([1], [2])).toBeNull();
});
