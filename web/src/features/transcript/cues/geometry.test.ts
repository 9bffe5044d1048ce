import { describe, expect, it } from "vitest";
import {
  clampView,
  columnsOf,
  endOf,
  following,
  gripAt,
  moved,
  revealing,
  SCALE_MAX,
  secondsOf,
  snap,
  ticksOf,
  visibleSegments,
  xOf,
  zoomed,
} from "./geometry";

const view = { from: 10, scale: 50, width: 500 };

describe("the view", () => {
  it("converts between seconds and pixels", () => {
    expect(xOf(view, 12)).toBe(100);
    expect(secondsOf(view, 100)).toBe(12);
    expect(endOf(view)).toBe(20);
  });

  it("stays within the recording", () => {
    expect(clampView({ ...view, from: -5 }, 60).from).toBe(0);
    expect(clampView({ ...view, from: 100 }, 60).from).toBe(50);
    expect(clampView({ ...view, from: 3 }, 4).from).toBe(0);
  });

  it("keeps the second under the pointer while zooming", () => {
    const near = zoomed(view, 1, 250, 600);
    expect(near.scale).toBe(75);
    expect(secondsOf(near, 250)).toBeCloseTo(15, 6);
    expect(zoomed(view, 99, 250, 600).scale).toBe(SCALE_MAX);
  });

  it("moves only to reveal invisible ranges", () => {
    expect(revealing(view, 11, 13, 600)).toBe(view);
    expect(revealing(view, 30, 32, 600).from).toBe(26);
    expect(revealing(view, 100, 130, 600).from).toBeCloseTo(99.5, 6);
    expect(following(view, 15, 600)).toBe(view);
    expect(following(view, 21, 600).from).toBe(20);
  });
});

describe("a block", () => {
  const room = { least: 8, most: 20 };
  const span = { start: 10, end: 12 };

  it("is gripped at an edge or as a whole", () => {
    expect([gripAt(3, 60), gripAt(30, 60), gripAt(57, 60)]).toEqual(["start", "body", "end"]);
    expect(gripAt(1, 12)).toBe("body");
  });

  it("moves within its allowed range and keeps the minimum duration", () => {
    expect(moved(span, "start", -1, room, 0.04)).toEqual({ start: 9, end: 12 });
    expect(moved(span, "start", -5, room, 0.04)).toEqual({ start: 8, end: 12 });
    expect(moved(span, "start", 5, room, 0.04)).toEqual({ start: 11.96, end: 12 });
    expect(moved(span, "end", 20, room, 0.04)).toEqual({ start: 10, end: 20 });
    expect(moved(span, "end", -5, room, 0.04)).toEqual({ start: 10, end: 10.04 });
    expect(moved(span, "body", 20, room, 0.04)).toEqual({ start: 18, end: 20 });
    expect(moved(span, "body", -20, room, 0.04)).toEqual({ start: 8, end: 10 });
  });

  it("does not move if it is outside of its allowed range", () => {
    expect(moved({ start: 5, end: 7 }, "body", 0, room, 0.04)).toEqual({ start: 5, end: 7 });
    expect(moved({ start: 5, end: 7 }, "start", 0, room, 0.04)).toEqual({ start: 5, end: 7 });
  });

  it("snaps to a near position", () => {
    expect(snap(span, "start", [10.05, 30], 50)).toBeCloseTo(0.05, 6);
    expect(snap(span, "body", [12.1], 50)).toBeCloseTo(0.1, 6);
    expect(snap(span, "end", [10.05], 50)).toBe(0);
  });
});

it("draws the maximum peak of each visible column", () => {
  const peaks = [0, 0.2, 0.9, 0.1, 1, 0.5];
  // Two peaks per second.
  expect(columnsOf(peaks, { from: 0, scale: 1, width: 3 }, 3, 1)).toEqual([0.2, 0.9, 1]);
  expect(columnsOf(peaks, { from: 1, scale: 4, width: 4 }, 3, 2)).toEqual([0.9, 0.1]);
  expect(columnsOf([], view, 3, 2)).toEqual([]);
});

it("marks round numbers of seconds, far enough apart", () => {
  expect(ticksOf({ from: 9.5, scale: 50, width: 500 }, 60)).toEqual([10, 12, 14, 16, 18]);
  expect(ticksOf({ from: 0, scale: 480, width: 200 }, 60)).toEqual([0, 0.2, 0.4]);
  expect(ticksOf({ from: 0, scale: 50, width: 500 }, 3)).toEqual([0, 2]);
});

it("finds the segments that may be visible", () => {
  const starts = Float64Array.from({ length: 10_000 }, (_, at) => at * 3);
  expect(visibleSegments(starts, { from: 300, scale: 60, width: 600 }, 2)).toEqual([98, 106]);
  expect(visibleSegments(starts, { from: 0, scale: 60, width: 60 }, 2)).toEqual([0, 3]);
  expect(visibleSegments([], view)).toEqual([0, 0]);
});
