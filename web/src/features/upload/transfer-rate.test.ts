import { describe, expect, it } from "vitest";
import { createRateMeter } from "./transfer-rate";

describe("the rate of a transfer", () => {
  it("is unknown until it has been measured for some time", () => {
    const meter = createRateMeter();
    expect(meter.note(0, 1_000, 0)).toEqual({ bytesPerSecond: null, secondsLeft: null });
    expect(meter.note(50, 1_000, 500).bytesPerSecond).toBeNull();
  });

  it("includes speed and remaining time", () => {
    const meter = createRateMeter();
    meter.note(0, 1_000, 0);
    expect(meter.note(200, 1_000, 2_000)).toEqual({ bytesPerSecond: 100, secondsLeft: 8 });
  });

  it("counts only bytes sent since the start of the measurement, for resumed uploads", () => {
    const meter = createRateMeter();
    meter.note(900, 1_000, 0);
    expect(meter.note(910, 1_000, 1_000)).toEqual({ bytesPerSecond: 10, secondsLeft: 9 });
  });

  it("adapts to a connection that has become slow", () => {
    const meter = createRateMeter();
    meter.note(0, 100_000, 0);
    meter.note(10_000, 100_000, 1_000);
    for (let second = 2; second <= 12; second += 1) {
      meter.note(10_000 + second, 100_000, second * 1_000);
    }
    expect(meter.note(10_013, 100_000, 13_000).bytesPerSecond).toBeCloseTo(1, 1);
  });

  it("restarts if the server has stored less than was sent, and after a pause", () => {
    const meter = createRateMeter();
    meter.note(0, 1_000, 0);
    meter.note(800, 1_000, 1_000);
    expect(meter.note(500, 1_000, 2_000).bytesPerSecond).toBeNull();
    meter.reset();
    expect(meter.note(600, 1_000, 60_000).bytesPerSecond).toBeNull();
  });
});
