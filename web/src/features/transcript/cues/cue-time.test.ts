import { expect, it } from "vitest";
import { formatTime, nudgeSeconds, parseTime } from "./cue-time";

it.each([
  ["62.5", 62.5],
  ["62,5", 62.5],
  ["1:02.5", 62.5],
  ["1:02,480", 62.48],
  [" 1:02 ", 62],
  ["00:01:02,500", 62.5],
  ["00:01:02.500", 62.5],
  ["1:00:00", 3600],
  ["00:01:02:12", 62.48],
  ["00:01:02;12", 62.48],
  ["0", 0],
  ["90", 90],
])("%j is %f s", (written, seconds) => {
  expect(parseTime(written, 25)).toBe(seconds);
});

it.each(["", "abc", "-1", "1:60", "1:60:00", "1:2:3:4:5", "00:00:01:25", "1..5", "1:02.", "Infinity", "1e3", ":30"])(
  "%j is no time",
  (written) => {
    expect(parseTime(written, 25)).toBeNull();
  },
);

it("parses frames at the given rate", () => {
  expect(parseTime("00:00:01:15", 30)).toBe(1.5);
  expect(parseTime("00:00:01:25", 30)).toBe(1.833);
});

it.each([
  [0, "uk", "0:00,000"],
  [62.48, "uk", "1:02,480"],
  [62.48, "en", "1:02.480"],
  [3723.0005, "en", "1:02:03.001"],
  [59.9996, "en", "1:00.000"],
  [-1, "en", "0:00.000"],
] as const)("%f s is written in %s as %s, and read again", (seconds, locale, written) => {
  expect(formatTime(seconds, locale)).toBe(written);
  expect(formatTime(parseTime(written, 25) ?? Number.NaN, locale)).toBe(written);
});

it("nudges by a frame or by a tenth", () => {
  expect(nudgeSeconds("frame", 25)).toBe(0.04);
  expect(nudgeSeconds("tenth", 25)).toBe(0.1);
});
