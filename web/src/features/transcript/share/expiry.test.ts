import { expect, it } from "vitest";
import { expiresAt, isFutureDay, nextDay } from "./expiry";

const NOW = new Date(2026, 11, 31, 15, 30);

it.each([
  ["never", null],
  ["day", new Date(2027, 0, 1, 15, 30).toISOString()],
  ["week", new Date(2027, 0, 7, 15, 30).toISOString()],
  ["month", new Date(2027, 0, 30, 15, 30).toISOString()],
] as const)("%s", (expiry, at) => {
  expect(expiresAt(expiry, "", NOW)).toBe(at);
});

it("expires at the end of a chosen day", () => {
  expect(expiresAt("date", "2027-03-08", NOW)).toBe(new Date(2027, 2, 8, 23, 59, 59).toISOString());
});

it.each([
  ["2026-12-31", true],
  ["2026-12-30", false],
  ["", false],
  ["soon", false],
] as const)("%j may be chosen: %s", (date, may) => {
  expect(isFutureDay(date, NOW)).toBe(may);
});

it("finds the day after the last day of a year", () => {
  expect(nextDay(NOW)).toBe("2027-01-01");
});
