import { describe, expect, it } from "vitest";
import { addSamples, barsOf, chooseWindows, drawBars, loudness } from "./windows";

describe("windows", () => {
  it("cover a short recording without a gap", () => {
    const windows = chooseWindows(60, 96).sort((a, b) => a.start - b.start);
    expect(windows[0]?.start).toBe(0);
    expect(windows.at(-1)?.end).toBeCloseTo(60);
    for (const [at, { bar, end }] of windows.entries()) {
      expect(bar).toBe(at);
      if (windows[at + 1]) expect(windows[at + 1]?.start).toBeCloseTo(end);
    }
  });

  it("are half a second per bar of a long recording", () => {
    const windows = chooseWindows(36_000, 96);
    expect(windows).toHaveLength(96);
    for (const { start, end } of windows) expect(end - start).toBeCloseTo(0.5);
  });

  it("cover the whole recording coarsely first, and each bar once", () => {
    for (const count of [1, 2, 7, 96, 128]) {
      const bars = chooseWindows(36_000, count).map(({ bar }) => bar);
      expect([...bars].sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, bar) => bar));
    }
    expect(chooseWindows(10, 8).map(({ bar }) => bar)).toEqual([0, 4, 2, 6, 1, 3, 5, 7]);
  });
});

describe("loudness", () => {
  it("is the root mean square of all samples", () => {
    const sum = { squares: 0, values: 0 };
    addSamples(sum, new Float32Array([0.5, -0.5]));
    expect(loudness(sum)).toBeCloseTo(0.5);
    addSamples(sum, new Float32Array([0, Number.NaN]));
    expect(loudness(sum)).toBeCloseTo(0.5 * Math.SQRT1_2);
  });

  it("is unknown without samples, and at most 1 for a damaged file", () => {
    expect(loudness({ squares: 0, values: 0 })).toBeNull();
    const sum = { squares: 0, values: 0 };
    addSamples(sum, new Float32Array([1e30, Number.POSITIVE_INFINITY]));
    expect(loudness(sum)).toBe(1);
  });
});

describe("bars", () => {
  it("are relative to the loudest one; unknown bars equal their nearest neighbour", () => {
    expect(drawBars([0.1, null, null, 0.4])).toEqual([0.25, 0.25, 1, 1]);
  });

  it("are 0 in silence", () => {
    expect(drawBars([0.0001, 0, 0.0005])).toEqual([0, 0, 0]);
  });

  it("are null if too few are known", () => {
    expect(drawBars([null, null])).toBeNull();
    expect(drawBars([0.5, ...Array.from({ length: 11 }, () => null)])).toBeNull();
  });
});

describe("the bars of a fully decoded recording", () => {
  it("represent equal parts of it, over all channels", () => {
    const left = Float32Array.from([0.5, 0.5, 0, 0, 0, 0]);
    const right = Float32Array.from([0.5, 0.5, 0, 0, 0.5, 0.5]);
    const bars = barsOf([left, right], 3) ?? [];
    expect(bars[0]).toBe(1);
    expect(bars[1]).toBe(0);
    expect(bars[2]).toBeCloseTo(Math.SQRT1_2, 3);
  });

  it("are null without samples, and complete if there are few", () => {
    expect(barsOf([], 96)).toBeNull();
    expect(barsOf([new Float32Array(0)], 96)).toBeNull();
    expect(barsOf([new Float32Array(20).fill(0.5)], 96)).toHaveLength(96);
  });
});
