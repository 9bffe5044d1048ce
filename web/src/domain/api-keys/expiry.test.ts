import { expect, it } from "vitest";
import { expiryState } from "./expiry";

const NOW = Date.parse("2026-11-21T09:00:00Z");

it.each([
  [null, "never"],
  ["2027-02-18T09:00:00Z", "until"],
  ["2026-11-28T09:00:01Z", "until"],
  ["2026-11-28T09:00:00Z", "soon"],
  ["2026-11-21T09:00:01Z", "soon"],
  ["2026-11-21T09:00:00Z", "expired"],
  ["2026-10-01T09:00:00Z", "expired"],
] as const)("a key that expires at %s is in the state %s", (expiresAt, state) => {
  expect(expiryState(expiresAt, NOW)).toBe(state);
});
