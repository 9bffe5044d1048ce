import { describe, expect, it } from "vitest";
import { bytesBeforeSound, HEADER_BYTES, longestRecording, secondsOf, wavHeader } from "./wav";

const text = (bytes: Uint8Array, from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));

describe("the header", () => {
  it("describes 16-bit mono PCM at 44,100 Hz", () => {
    const header = wavHeader();
    const view = new DataView(header.buffer);
    expect(header).toHaveLength(44);
    expect([text(header, 0, 4), text(header, 8, 16), text(header, 36, 40)]).toEqual(["RIFF", "WAVEfmt ", "data"]);
    expect(view.getUint32(16, true)).toBe(16);
    expect([view.getUint16(20, true), view.getUint16(22, true)]).toEqual([1, 1]);
    expect([view.getUint32(24, true), view.getUint32(28, true)]).toEqual([44_100, 88_200]);
    expect([view.getUint16(32, true), view.getUint16(34, true)]).toEqual([2, 16]);
  });

  it("has unknown sizes while recording, and actual sizes for the player", () => {
    const open = new DataView(wavHeader().buffer);
    expect([open.getUint32(4, true), open.getUint32(40, true)]).toEqual([0xffff_ffff, 0xffff_ffff]);
    const closed = new DataView(wavHeader(1_000).buffer);
    expect([closed.getUint32(4, true), closed.getUint32(40, true)]).toEqual([1_036, 1_000]);
  });
});

it("computes seconds from bytes, 0 for the header", () => {
  expect(secondsOf(HEADER_BYTES + 88_200 * 3)).toBe(3);
  expect([secondsOf(0), secondsOf(HEADER_BYTES)]).toEqual([0, 0]);
});

it("limits a recording to whole samples within the size of an upload", () => {
  for (const limit of [524_288_000, 2_097_151]) {
    expect((longestRecording(limit) - HEADER_BYTES) % 2).toBe(0);
    expect(limit - longestRecording(limit)).toBeLessThan(2);
  }
});

describe("the bytes before the next sample", () => {
  it("are the header, or its rest", () => {
    expect(bytesBeforeSound(0)).toEqual(wavHeader());
    expect(bytesBeforeSound(10)).toEqual(wavHeader().slice(10));
  });

  it("are none after whole samples, and one byte after half a sample", () => {
    expect(bytesBeforeSound(HEADER_BYTES)).toHaveLength(0);
    expect(bytesBeforeSound(HEADER_BYTES + 2)).toHaveLength(0);
    expect(bytesBeforeSound(HEADER_BYTES + 3)).toEqual(new Uint8Array([0]));
  });
});
