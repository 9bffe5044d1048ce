import { expect, it } from "vitest";
import { sharesOf } from "./minutes-bar";

it.each([
  ["nothing used", [0, 0, 100], { settled: 0, reserved: 0 }],
  ["some of it only reserved", [50, 20, 100], { settled: 30, reserved: 20 }],
  ["more than the limit", [150, 100, 100], { settled: 50, reserved: 50 }],
  ["more settled than the limit", [150, 0, 100], { settled: 100, reserved: 0 }],
  ["a limit of 0", [0, 0, 0], { settled: 100, reserved: 0 }],
  ["a negative limit, set by an administrator", [5, 5, -10], { settled: 100, reserved: 0 }],
  ["no limit", [50, 20, null], { settled: 0, reserved: 0 }],
] as const)("%s", (_, [used, reserved, limit], shares) => {
  expect(sharesOf(used, reserved, limit)).toEqual(shares);
});
