import { expect, it } from "vitest";
import { playTrack } from "./audio-track";

const element = (tracks?: { enabled: boolean }[]) => ({ audioTracks: tracks }) as unknown as HTMLMediaElement;

it("enables only the requested track", () => {
  const tracks = [{ enabled: true }, { enabled: false }, { enabled: true }];
  expect(playTrack(element(tracks), 1)).toBe(true);
  expect(tracks.map(({ enabled }) => enabled)).toEqual([false, true, false]);
});

it("reports if another track is played", () => {
  expect(playTrack(element(), 1)).toBe(false);
  expect(playTrack(element([{ enabled: true }]), 1)).toBe(false);
});

it("assumes that every browser plays the first track", () => {
  expect(playTrack(element(), 0)).toBe(true);
  expect(playTrack(element([]), 0)).toBe(true);
});
