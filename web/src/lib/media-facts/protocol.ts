/** The messages between the page and the worker that reads a file. Each worker does one task. */
import type { MediaTrack } from "./facts";

/** Time limit for reading a waveform, in ms. */
export const PEAKS_BUDGET_MS = 3_000;

export type Task =
  | { kind: "header"; file: File }
  /** `duration` in seconds; `track` is an index among the audio tracks. */
  | { kind: "peaks"; file: File; track: number; duration: number; peaks: number };

export type Reply =
  /** The worker is loaded and starts the task: its time limit starts now. */
  | { kind: "begun" }
  | { kind: "header"; duration: number | null; tracks: MediaTrack[] }
  | { kind: "peaks"; peaks: number[] }
  | { kind: "done" };
