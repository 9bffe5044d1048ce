import { expect, it } from "vitest";
import { floatToPcm, peakOf } from "./pcm";

const samplesOf = (values: number[]) => {
  const pcm = floatToPcm(Float32Array.from(values));
  const view = new DataView(pcm.buffer);
  return values.map((_, i) => view.getInt16(i * 2, true));
};

it("spreads -1 to 1 over all of sixteen bits, little-endian", () => {
  expect(samplesOf([0, 1, -1, 0.5, -0.5])).toEqual([0, 32_767, -32_768, 16_384, -16_384]);
  expect([...floatToPcm(Float32Array.from([1]))]).toEqual([0xff, 0x7f]);
});

it("clips what is louder than full scale instead of wrapping it around", () => {
  expect(samplesOf([1.2, -1.2, 40, -40, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])).toEqual([
    32_767, -32_768, 32_767, -32_768, 32_767, -32_768,
  ]);
});

it("takes what is no number for silence", () => {
  expect(samplesOf([Number.NaN, -0])).toEqual([0, 0]);
});

it("finds the peak on either side", () => {
  expect(peakOf(Float32Array.from([0.1, -0.5, 0.25]))).toBe(0.5);
  expect(peakOf(new Float32Array())).toBe(0);
});
