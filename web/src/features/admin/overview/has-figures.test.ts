import { expect, it } from "vitest";
import type { OverviewDay } from "@/api/admin-overview";
import { hasFigures } from "./has-figures";

const DAY: OverviewDay = {
  day: "2026-11-22",
  completed: 0,
  failed: 0,
  cancelled: 0,
  under_way: 0,
  minutes: 0,
  words: 0,
  queue_peak: 0,
  waited_median: null,
  waited_p95: null,
};

it("finds nothing in days without a job", () => {
  expect(hasFigures({ days: [], failures: [] })).toBe(false);
  expect(hasFigures({ days: [DAY, { ...DAY, day: "2026-11-23" }], failures: [] })).toBe(false);
  // A waiting time of 0 would be a line at the bottom of a chart.
  expect(hasFigures({ days: [{ ...DAY, waited_median: 0, waited_p95: 0 }], failures: [] })).toBe(false);
});

it.each(["completed", "failed", "cancelled", "under_way", "minutes", "words", "queue_peak", "waited_p95"] as const)(
  "finds one day with %s",
  (figure) => expect(hasFigures({ days: [DAY, { ...DAY, [figure]: 0.5 }], failures: [] })).toBe(true),
);

it("finds failures of jobs that are not counted in days any more", () => {
  expect(hasFigures({ days: [DAY], failures: [{ code: "damaged", jobs: 1 }] })).toBe(true);
});
