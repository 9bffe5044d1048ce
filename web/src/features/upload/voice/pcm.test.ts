import { expect, it } from "vitest";
import { floatToPcm, peakOf } from "./pcm";

const samplesOf = (values: number[]) => {
  const pcm = floatToPcm(Float32Array.from(values));
  const view = new DataView(pcm.buffer);
  return values.map((_, i) => view.getInt16(i * 2, true));
};

it("maps -1 to 1 to 16 bits, little-endian", () => {
  expect(samplesOf([0, 1, -1, 0.5, -0.5])).toEqual([0, 32_767, -32_768, 16_384, -16_384]);
  expect([...floatToPcm(Float32Array.from([1]))]).toEqual([0xff, 0x7f]);
});

it("clips values beyond full scale", () => {
  expect(samplesOf([1.2, -1.2, 40, -40, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])).toEqual([
    32_767, -32_768, 32_767, -32_768, 32_767, -32_768,
  ]);
});

it("converts NaN to silence", () => {
  expect(samplesOf([Number.NaN, -0])).toEqual([0, 0]);
});

it("finds positive and negative peaks", () => {
  expect(peakOf(Float32Array.from([0.1, -0.5, 0.25]))).toBe(0.5);
  expect(peakOf(new Float32Array())).toBe(0);
});
