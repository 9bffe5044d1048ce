import { expect, it } from "vitest";
import { neighbour } from "./list-keys";

it("arrow keys move between rows and stop at the ends", () => {
  expect(neighbour("ArrowDown", 0, 3)).toBe(1);
  expect(neighbour("ArrowDown", 2, 3)).toBeNull();
  expect(neighbour("ArrowUp", 0, 3)).toBeNull();
  expect(neighbour("Home", 2, 3)).toBe(0);
  expect(neighbour("End", 0, 3)).toBe(2);
  expect(neighbour("End", 2, 3)).toBeNull();
  expect(neighbour("a", 1, 3)).toBeNull();
});
