/** What the page and its reading worker say to each other. One worker does one task and is ended. */
import type { MediaTrack } from "./facts";

/** Where the reading of a waveform is stopped, in ms of work. */
export const PEAKS_BUDGET_MS = 3_000;

export type Task =
  | { kind: "header"; file: File }
  /** `duration` in seconds; `track` is an index among the audio tracks. */
  | { kind: "peaks"; file: File; track: number; duration: number; peaks: number };

export type Reply =
  /** The worker is loaded and begins: its time runs from here. */
  | { kind: "begun" }
  | { kind: "header"; duration: number | null; tracks: MediaTrack[] }
  | { kind: "peaks"; peaks: number[] }
  | { kind: "done" };
