import { expect, it } from "vitest";
import { troubleOf } from "./storage-trouble";

const WELL = { media: 1, avatars: 1, database: 1, free: 1, space: "enough", has_folder: true, stores: true } as const;

it("returns the most severe problem, or null if everything can be stored", () => {
  expect(troubleOf(WELL)).toBeNull();
  expect(troubleOf({ ...WELL, space: "low" })).toBe("low");
  expect(troubleOf({ ...WELL, space: "low", stores: false })).toBe("database");
  expect(troubleOf({ ...WELL, space: "full", stores: false })).toBe("full");
  expect(troubleOf({ ...WELL, space: "full", has_folder: false })).toBe("folder");
});
