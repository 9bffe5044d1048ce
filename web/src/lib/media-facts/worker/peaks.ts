/** Reads the waveform of a track from coarse to fine, within a time limit. */
import type { Input, InputAudioTrack } from "mediabunny";
import { createPositionEstimator } from "../position-estimator";
import { PEAKS_BUDGET_MS, type Reply, type Task } from "../protocol";
import { MAX_CHANNELS } from "../sanitise-facts";
import { chooseWindows, drawBars, type Window } from "../windows";
import { framingOf, measurePiece } from "./cut-piece";
import { measureLoudness } from "./loudness";
import { open } from "./open";

/** Interval between reports, in ms. */
const NEWS_EVERY_MS = 150;
/** Files without an index are read sequentially up to this duration, in seconds. */
const READ_THROUGH = 120;
/** Stops if none of the first windows can be decoded. */
const MAX_FAILED_WINDOWS = 6;
/** Maximum number of estimates for the position of a bar; later bars need fewer. */
const MAX_GUESSES = 16;
/** Tolerance for the position of a window, in bars. */
const NEAR = 0.75;

/** Reports the waveform while it grows, and at the end; nothing if the track cannot be decoded here. */
export async function readPeaks(task: Extract<Task, { kind: "peaks" }>, tell: (reply: Reply) => void): Promise<void> {
  const end = performance.now() + PEAKS_BUDGET_MS;
  const input = open(task.file);
  const track = (await input.getAudioTracks())[task.track];
  if (!track || (await track.getNumberOfChannels()) > MAX_CHANNELS || !(await track.canDecode())) {
    return;
  }
  const readWindow = await loudnessReader(input, track, task);
  const known = Array.from<number | null>({ length: task.peaks }).fill(null);
  let lastReport = performance.now();
  for (const [position, window] of chooseWindows(task.duration, task.peaks).entries()) {
    known[window.bar] = await readWindow(window).catch(() => null);
    const now = performance.now();
    if (now >= end || (position === MAX_FAILED_WINDOWS && known.every((value) => value === null))) break;
    if (now >= lastReport + NEWS_EVERY_MS) {
      lastReport = now;
      draw(known, tell);
    }
  }
  draw(known, tell);
}

function draw(known: readonly (number | null)[], tell: (reply: Reply) => void): void {
  const peaks = drawBars(known);
  if (peaks) tell({ kind: "peaks", peaks });
}

/** How to read windows of this file: by time, or by byte position in a long file without an index. */
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
  const places = createPositionEstimator(duration, file.size);
  const near = (duration / peaks) * NEAR;
  return async ({ start, end }) => {
    for (let guess = 0; guess < MAX_GUESSES; guess++) {
      const position = places.guess(start, guess % 2 === 1);
      const measured = await measurePiece(file, framing, position, Math.min(1, end - start), rate);
      if (!measured || measured.start === null || Math.abs(measured.start - start) <= near) return measured?.loudness ?? null;
      places.learn(measured.start, position);
    }
    return null;
  };
}
