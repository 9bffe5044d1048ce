import { expect, it } from "vitest";
import { HOME, PATHS } from "./paths";

/** The server's own pages. */
const PUBLIC = [
  HOME,
  "/about",
  "/features",
  "/pricing",
  "/contact",
  "/privacy",
  "/terms",
  "/cookies",
  "/status",
  "/changelog",
  "/docs",
];

it.each(Object.entries(PATHS))("%s is a path that the server can read: %s", (_name, path) =>
  expect(path).toMatch(/^(\/:?[\w-]+)+$/),
);

it("contains each path once, and no public pages", () => {
  const all = Object.values(PATHS);
  expect(new Set(all).size).toBe(all.length);
  expect(all.filter((path) => PUBLIC.includes(path))).toEqual([]);
});
