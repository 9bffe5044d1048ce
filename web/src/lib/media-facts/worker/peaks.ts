/** The waveform of a track, coarse at first, within a budget of time. */
import type { Input, InputAudioTrack } from "mediabunny";
import { anchors } from "../anchors";
import { PEAKS_BUDGET_MS, type Reply, type Task } from "../protocol";
import { MAX_CHANNELS } from "../sanitise-facts";
import { chooseWindows, drawBars, type Window } from "../windows";
import { framingOf, measurePiece } from "./cut-piece";
import { measureLoudness } from "./loudness";
import { open } from "./open";

/** Between two drawings, in ms. */
const NEWS_EVERY_MS = 150;
/** A stream without an index is read from its beginning up to this long, in seconds. */
const READ_THROUGH = 120;
/** When the first so many windows cannot be heard, the others cannot either. */
const PATIENCE = 6;
/** Guesses at the place of one bar; the later bars need fewer. */
const MAX_GUESSES = 16;
/** So many bars beside it is near enough. */
const NEAR = 0.75;

/** Tells a waveform whenever it has grown, and the last one before it returns; none where the track cannot be heard here. */
export async function readPeaks(task: Extract<Task, { kind: "peaks" }>, tell: (reply: Reply) => void): Promise<void> {
  const end = performance.now() + PEAKS_BUDGET_MS;
  const input = open(task.file);
  const track = (await input.getAudioTracks())[task.track];
  if (!track || (await track.getNumberOfChannels()) > MAX_CHANNELS || !(await track.canDecode())) {
    return;
  }
  const readWindow = await loudnessReader(input, track, task);
  const known = Array.from<number | null>({ length: task.peaks }).fill(null);
  let told = performance.now();
  for (const [done, window] of chooseWindows(task.duration, task.peaks).entries()) {
    known[window.bar] = await readWindow(window).catch(() => null);
    const now = performance.now();
    if (now >= end || (done === PATIENCE && known.every((value) => value === null))) break;
    if (now >= told + NEWS_EVERY_MS) {
      told = now;
      draw(known, tell);
    }
  }
  draw(known, tell);
}

function draw(known: readonly (number | null)[], tell: (reply: Reply) => void): void {
  const peaks = drawBars(known);
  if (peaks) tell({ kind: "peaks", peaks });
}

/** How the windows of this file are heard: by their time, or, in a long stream without an index, by their place. */
async function loudnessReader(
  input: Input,
  track: InputAudioTrack,
  { file, duration, peaks }: { file: File; duration: number; peaks: number },
): Promise<(window: Window) => Promise<number | null>> {
  const framing = framingOf(await input.getFormat());
  if (!framing || duration <= READ_THROUGH) {
    return ({ start, end }) => measureLoudness(track, start, end);
  }
  const rate = file.size / duration;
  const places = anchors(duration, file.size);
  const near = (duration / peaks) * NEAR;
  return async ({ start, end }) => {
    for (let guess = 0; guess < MAX_GUESSES; guess++) {
      const position = places.guess(start, guess % 2 === 1);
      const heard = await measurePiece(file, framing, position, Math.min(1, end - start), rate);
      if (!heard || heard.start === null || Math.abs(heard.start - start) <= near) return heard?.loudness ?? null;
      places.learn(heard.start, position);
    }
    return null;
  };
}
