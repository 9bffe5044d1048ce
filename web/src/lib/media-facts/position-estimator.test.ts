import { describe, expect, it } from "vitest";
import { flacTime } from "./flac-time";
import { createPositionEstimator } from "./position-estimator";
import { taskQueue } from "./task-queue";

describe("positions in a file", () => {
  it("are interpolated linearly at first, and improve with each known position", () => {
    const places = createPositionEstimator(100, 1000);
    expect(places.guess(50)).toBe(500);
    places.learn(80, 500);
    expect(places.guess(40)).toBe(250);
    expect(places.guess(90)).toBe(750);
    expect(places.guess(85, true)).toBe(750);
  });

  it("ignore contradictory positions", () => {
    const places = createPositionEstimator(100, 1000);
    for (const [time, position] of [
      [0, 500],
      [500, 500],
      [-1, 3],
      [50, 2000],
      [Number.NaN, 5],
    ] as const)
      places.learn(time, position);
    expect(places.guess(50)).toBe(500);
    expect(places.guess(100)).toBeLessThanOrEqual(1000);
  });
});

describe("the time of a FLAC frame", () => {
  const head = new Uint8Array(42);
  head.set([0x10, 0x00], 8);
  // A sample rate of 16,000 Hz, in 20 bits.
  head.set([0x03, 0xe8, 0x00], 18);

  it("is derived from a frame number or a sample number", () => {
    expect(flacTime(head, new Uint8Array([0xff, 0xf8, 0, 0, 125]))).toBe(32);
    expect(flacTime(head, new Uint8Array([0xff, 0xf9, 0, 0, 0xe3, 0xba, 0x80]))).toBe(1);
  });

  it("is unknown if the frame or the header is damaged", () => {
    expect(flacTime(head, new Uint8Array([0xff, 0xf8, 0, 0, 0xe3, 0, 0]))).toBeNull();
    expect(flacTime(head, new Uint8Array([0xff, 0xf8, 0, 0, 0xff]))).toBeNull();
    expect(flacTime(new Uint8Array(3), new Uint8Array([0xff, 0xf8, 0, 0, 1]))).toBeNull();
  });
});

describe("the task queue", () => {
  it("runs tasks one after another, and skips aborted ones", async () => {
    const take = taskQueue(1);
    const staying = new AbortController().signal;
    const leaving = new AbortController();
    const release = await take(staying);
    const abandoned = take(leaving.signal);
    const last = take(staying);
    leaving.abort();
    expect(await abandoned).toBeNull();
    release?.();
    (await last)?.();
    expect(await take(staying)).not.toBeNull();
    expect(await take(leaving.signal)).toBeNull();
  });
});
