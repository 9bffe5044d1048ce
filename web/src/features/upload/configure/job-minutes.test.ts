import { expect, it } from "vitest";
import type { Minutes } from "@/api/minutes";
import { minutesRefusal, neededMinutes } from "./job-minutes";

const minutes = (limit: number | null, used: number): Minutes => ({
  plan: null,
  limit,
  plan_limit: limit,
  used,
  reserved: 0,
  bonus: 0,
  left: limit === null ? null : limit - used,
  max_file_duration: null,
  reset_at: "2026-12-01T00:00:00Z",
});

it("sums the minutes of all recordings, each rounded up", () => {
  expect(neededMinutes([60, 61])).toEqual({ minutes: 2.02, longest: 1.02, known: "all" });
  expect(neededMinutes([6, 12, 18])).toEqual({ minutes: 0.6, longest: 0.3, known: "all" });
});

it("reports unknown durations", () => {
  expect(neededMinutes([null])).toEqual({ minutes: 0, longest: 0, known: "none" });
  expect(neededMinutes([])).toEqual({ minutes: 0, longest: 0, known: "none" });
  expect(neededMinutes([60, null])).toEqual({ minutes: 1, longest: 1, known: "some" });
});

it("refuses jobs that need more than the remaining minutes", () => {
  expect(minutesRefusal(minutes(10, 9), neededMinutes([61]))).toMatchObject({
    code: "minutes_exceeded",
    params: { needed: 1.02, left: 1 },
  });
  expect(minutesRefusal(minutes(10, 9), neededMinutes([60]))).toBeNull();
});

it.each([
  ["there is no limit", minutes(null, 900), [3600]],
  ["the limit is unknown", undefined, [3600]],
  ["the duration is unknown", minutes(10, 10), [null]],
])("refuses nothing if %s", (_, left, durations) => {
  expect(minutesRefusal(left, neededMinutes(durations))).toBeNull();
});

it("refuses if the recordings of known duration already exceed the limit", () => {
  expect(minutesRefusal(minutes(10, 9), neededMinutes([120, null]))).not.toBeNull();
});

it("refuses recordings that are longer than the plan allows, each separately", () => {
  const atMost5: Minutes = { ...minutes(null, 0), max_file_duration: 5 };
  expect(minutesRefusal(atMost5, neededMinutes([300, 300]))).toBeNull();
  expect(minutesRefusal(atMost5, neededMinutes([60, 301]))).toMatchObject({ code: "duration_over_plan", params: { max: 5 } });
  expect(minutesRefusal({ ...minutes(2, 0), max_file_duration: 5 }, neededMinutes([180]))?.code).toBe("minutes_exceeded");
});
