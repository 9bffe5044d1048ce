import { expect, it } from "vitest";
import { loudest } from "./sound-bars";

it("uses the maximum peak of each bar", () => {
  expect(loudest([0.1, 0.9, 0.2, 0.3], 2)).toEqual([0.9, 0.3]);
});

it("repeats peaks if there are fewer than bars", () => {
  expect(loudest([0.5, 1], 4)).toEqual([0.5, 0.5, 1, 1]);
});
