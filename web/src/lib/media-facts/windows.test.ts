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

  it("are half a second of each bar of a long one", () => {
    const windows = chooseWindows(36_000, 96);
    expect(windows).toHaveLength(96);
    for (const { start, end } of windows) expect(end - start).toBeCloseTo(0.5);
  });

  it("know the whole recording coarsely first, and each bar once", () => {
    for (const count of [1, 2, 7, 96, 128]) {
      const bars = chooseWindows(36_000, count).map(({ bar }) => bar);
      expect([...bars].sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, bar) => bar));
    }
    expect(chooseWindows(10, 8).map(({ bar }) => bar)).toEqual([0, 4, 2, 6, 1, 3, 5, 7]);
  });
});

describe("loudness", () => {
  it("is the mean over everything that was heard", () => {
    const heard = { squares: 0, values: 0 };
    addSamples(heard, new Float32Array([0.5, -0.5]));
    expect(loudness(heard)).toBeCloseTo(0.5);
    addSamples(heard, new Float32Array([0, Number.NaN]));
    expect(loudness(heard)).toBeCloseTo(0.5 * Math.SQRT1_2);
  });

  it("is unknown of nothing, and no more than 1 of what a damaged file decodes to", () => {
    expect(loudness({ squares: 0, values: 0 })).toBeNull();
    const heard = { squares: 0, values: 0 };
    addSamples(heard, new Float32Array([1e30, Number.POSITIVE_INFINITY]));
    expect(loudness(heard)).toBe(1);
  });
});

describe("bars", () => {
  it("are as high as the loudest allows, the unknown as their neighbours", () => {
    expect(drawBars([0.1, null, null, 0.4])).toEqual([0.25, 0.25, 1, 1]);
  });

  it("stay flat in silence", () => {
    expect(drawBars([0.0001, 0, 0.0005])).toEqual([0, 0, 0]);
  });

  it("are not drawn from too little", () => {
    expect(drawBars([null, null])).toBeNull();
    expect(drawBars([0.5, ...Array.from({ length: 11 }, () => null)])).toBeNull();
  });
});

describe("the bars of a sound that is there in full", () => {
  it("stand for even parts of it, of all its channels", () => {
    const left = Float32Array.from([0.5, 0.5, 0, 0, 0, 0]);
    const right = Float32Array.from([0.5, 0.5, 0, 0, 0.5, 0.5]);
    const bars = barsOf([left, right], 3) ?? [];
    expect(bars[0]).toBe(1);
    expect(bars[1]).toBe(0);
    expect(bars[2]).toBeCloseTo(Math.SQRT1_2, 3);
  });

  it("are none where there is no sound, and as many as wanted where there is little", () => {
    expect(barsOf([], 96)).toBeNull();
    expect(barsOf([new Float32Array(0)], 96)).toBeNull();
    expect(barsOf([new Float32Array(20).fill(0.5)], 96)).toHaveLength(96);
  });
});
