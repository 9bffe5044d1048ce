import { expect, it } from "vitest";
import { playTrack } from "./audio-track";

const element = (tracks?: { enabled: boolean }[]) => ({ audioTracks: tracks }) as unknown as HTMLMediaElement;

it("lets the wanted track sound, and no other", () => {
  const tracks = [{ enabled: true }, { enabled: false }, { enabled: true }];
  expect(playTrack(element(tracks), 1)).toBe(true);
  expect(tracks.map(({ enabled }) => enabled)).toEqual([false, true, false]);
});

it("says when another one is heard", () => {
  expect(playTrack(element(), 1)).toBe(false);
  expect(playTrack(element([{ enabled: true }]), 1)).toBe(false);
});

it("the first one is what every browser plays", () => {
  expect(playTrack(element(), 0)).toBe(true);
  expect(playTrack(element([]), 0)).toBe(true);
});
