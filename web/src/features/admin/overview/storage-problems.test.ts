import { expect, it } from "vitest";
import { storageProblem } from "./storage-problems";

const WELL = {
  media: 1,
  avatars: 1,
  database: 1,
  free: 1,
  space: "enough",
  has_folder: true,
  is_shared: false,
  stores: true,
} as const;

it("returns the most severe problem, or null if everything can be stored", () => {
  expect(storageProblem(WELL)).toBeNull();
  expect(storageProblem({ ...WELL, space: "low" })).toBe("low");
  expect(storageProblem({ ...WELL, space: "low", stores: false })).toBe("database");
  expect(storageProblem({ ...WELL, space: "full", stores: false })).toBe("full");
  expect(storageProblem({ ...WELL, space: "full", has_folder: false })).toBe("folder");
  expect(storageProblem({ ...WELL, space: "full", has_folder: false, is_shared: true })).toBe("store");
});
