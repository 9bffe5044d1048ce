import { describe, expect, it } from "vitest";
import { cleanDuration, cleanTrack, selectedTrack } from "./sanitise-facts";

const track = (claims: object) =>
  cleanTrack({ codec: "aac", language: "ukr", title: null, channels: 2, default: true, ...claims }, 3);

describe("a file's metadata", () => {
  it("is kept if it is plausible", () => {
    expect(track({ title: "Зала" })).toEqual({
      index: 3,
      codec: "aac",
      language: "ukr",
      title: "Зала",
      channels: 2,
      default: true,
    });
    expect(cleanDuration(7200.5)).toBe(7200.5);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -1, 0, 1e12, "5", null])("has no duration of %s", (claimed) => {
    expect(cleanDuration(claimed)).toBeNull();
  });

  it("has titles of one short line without invisible characters", () => {
    expect(track({ title: "a\u0000b\n\u202Egpj.exe \uD800 " }).title).toBe("a b gpj.exe");
    expect(track({ title: "\u200B \n" }).title).toBeNull();
    const long = track({ title: "😀".repeat(1_000_000) }).title ?? "";
    expect([...long]).toHaveLength(80);
    expect(long.endsWith("…")).toBe(true);
  });

  it("has no language if it is undetermined, and no channel count if it is implausible", () => {
    expect(track({ language: "und" }).language).toBeNull();
    for (const channels of [-1, 0, 1.5, 65_535, Number.NaN, "2"]) expect(track({ channels }).channels).toBe(0);
    expect(track({ codec: new Uint8Array(4) }).codec).toBe("");
  });
});

describe("the selected track", () => {
  const tracks = [false, true, true].map((marked, index) => ({ index, codec: "aac", channels: 1, default: marked }));

  it("is the requested one, else the first default track, else the first", () => {
    expect(selectedTrack(tracks, 0)).toBe(0);
    expect(selectedTrack(tracks, null)).toBe(1);
    expect(selectedTrack(tracks, 9)).toBe(1);
    expect(selectedTrack(tracks.slice(0, 1), null)).toBe(0);
    expect(selectedTrack([], null)).toBe(0);
  });
});
