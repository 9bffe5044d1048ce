import { expect, it, vi } from "vitest";
import { type Caption, updateTrack } from "./captions";

class Cue {
  constructor(
    readonly startTime: number,
    readonly endTime: number,
    readonly text: string,
  ) {}
}

function fakeTrack() {
  const cues: Cue[] = [];
  const track = {
    cues,
    addCue: (cue: Cue) => cues.push(cue),
    removeCue: (cue: Cue) => cues.splice(cues.indexOf(cue), 1),
  };
  return { cues, track: track as unknown as TextTrack };
}

const caption = (start: number, text: string): Caption => ({ start, end: start + 1, text });

it("adds missing cues and keeps existing ones", () => {
  vi.stubGlobal("VTTCue", Cue);
  const { cues, track } = fakeTrack();
  updateTrack(track, [caption(1, "раз"), caption(2, "два")]);
  const [first, second] = cues;
  updateTrack(track, [caption(2, "два"), caption(3, "три")]);
  expect(cues.map(({ text }) => text)).toEqual(["два", "три"]);
  expect(cues[0]).toBe(second);
  expect(cues).not.toContain(first);
  updateTrack(track, [caption(2.5, "два"), caption(3, "три")]);
  expect(cues.map(({ startTime }) => startTime)).toEqual([3, 2.5]);
  updateTrack(track, []);
  expect(cues).toEqual([]);
});

it("escapes special characters and tags", () => {
  vi.stubGlobal("VTTCue", Cue);
  const { cues, track } = fakeTrack();
  updateTrack(track, [caption(1, "<b>A & B</b>\nS1")]);
  const [only] = cues;
  expect(only?.text).toBe("&lt;b&gt;A &amp; B&lt;/b&gt;\nS1");
  updateTrack(track, [caption(1, "<b>A & B</b>\nS1")]);
  expect(cues[0]).toBe(only);
});
