import { describe, expect, it } from "vitest";
import { createResampler } from "./resampler";

const sine = (hertz: number, rate: number, length: number) =>
  Float32Array.from({ length }, (_, i) => Math.sin((2 * Math.PI * hertz * i) / rate));

/** Processes the input in blocks, like the audio thread. */
function resampled(input: Float32Array, from: number, to: number, piece = 128): number[] {
  const resample = createResampler(from, to);
  const out: number[] = [];
  for (let at = 0; at < input.length; at += piece) {
    out.push(...resample(input.slice(at, at + piece)));
  }
  return out;
}

const loudness = (samples: readonly number[]) => Math.sqrt(samples.reduce((sum, x) => sum + x * x, 0) / samples.length);

it("does not change sound that has the right rate", () => {
  const input = sine(440, 44_100, 128);
  expect(createResampler(44_100, 44_100)(input)).toBe(input);
});

describe.each([48_000, 16_000, 96_000])("from %i Hz", (from) => {
  it("keeps the length", () => {
    const out = resampled(sine(440, from, from), from, 44_100);
    expect(Math.abs(out.length - 44_100)).toBeLessThan(60);
  });

  it("keeps pitch and loudness, without discontinuities between blocks", () => {
    const out = resampled(sine(440, from, from), from, 44_100);
    const expected = sine(440, 44_100, 44_100);
    const differences = out.slice(200, 40_000).map((sample, i) => Math.abs(sample - (expected[200 + i] ?? 9)));
    expect(Math.max(...differences)).toBeLessThan(0.02);
  });

  it("does not depend on the size of blocks", () => {
    const input = sine(700, from, 4_096);
    expect(resampled(input, from, 44_100, 128)).toEqual(resampled(input, from, 44_100, 1_024));
  });
});

it("filters frequencies above the lower rate's limit instead of aliasing them", () => {
  const out = resampled(sine(40_000, 96_000, 96_000), 96_000, 44_100);
  expect(loudness(out.slice(500, 40_000))).toBeLessThan(0.02);
});
