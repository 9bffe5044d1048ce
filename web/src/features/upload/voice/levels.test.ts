import { describe, expect, it } from "vitest";
import { createLevelCheck, decibels, levelOf } from "./levels";

it("measures in decibels of full scale", () => {
  expect(decibels(1)).toBe(0);
  expect(decibels(0.1)).toBeCloseTo(-20);
  expect([decibels(0), decibels(1e-9), decibels(2)]).toEqual([-60, -60, 0]);
  expect([levelOf(0), levelOf(1)]).toEqual([0, 1]);
});

describe("the level warning", () => {
  it("is loud for some time after clipping", () => {
    const ear = createLevelCheck(0);
    expect(ear.note(1, 100)).toBe("loud");
    expect(ear.note(0.2, 2_000)).toBe("loud");
    expect(ear.note(0.2, 2_200)).toBeNull();
  });

  it("is silent only after five seconds without sound", () => {
    const ear = createLevelCheck(0);
    expect(ear.note(0, 4_900)).toBeNull();
    expect(ear.note(0, 5_000)).toBe("silent");
    expect(ear.note(0.01, 5_100)).toBeNull();
    expect(ear.note(0, 9_000)).toBeNull();
  });
});
