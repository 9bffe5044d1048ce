import { expect, it } from "vitest";
import type { SharedComment } from "@/api";
import { placeComments } from "./comments";

const comment = (id: string, version: number, segment: string): SharedComment => ({
  id,
  version,
  segment,
  start: 0,
  line: "",
  name: "Олена",
  text: "Так?",
  created_at: "2026-11-21T09:00:00Z",
});

it("assigns comments to their lines, in order", () => {
  const all = [comment("a", 2, "1"), comment("b", 2, "0"), comment("c", 2, "1")];
  const { byLine, elsewhere } = placeComments(all, { version: 2, segments: [{ id: "0" }, { id: "1" }] });
  expect(byLine.get("1")?.map(({ id }) => id)).toEqual(["a", "c"]);
  expect(byLine.get("0")?.map(({ id }) => id)).toEqual(["b"]);
  expect(elsewhere).toEqual([]);
});

it("keeps comments of removed lines, and does not assign them to lines of another run", () => {
  const all = [comment("a", 1, "0"), comment("b", 2, "9")];
  const { byLine, elsewhere } = placeComments(all, { version: 2, segments: [{ id: "0" }] });
  expect(byLine.size).toBe(0);
  expect(elsewhere.map(({ id }) => id)).toEqual(["a", "b"]);
});
