/** Reads the facts of a chosen file in the browser. */
import { durationByBrowser, peaksByBrowser } from "./ask-browser";
import { askWorker } from "./ask-worker";
import { type MediaFacts, NO_FACTS } from "./facts";
import { PEAKS_BUDGET_MS } from "./protocol";
import { selectedTrack } from "./sanitise-facts";
import { taskQueue } from "./task-queue";

export interface ReadOptions {
  /** Ends the reading; the last facts stay what they are. */
  signal: AbortSignal;
  /** How many bars the waveform has. */
  peaks: number;
  /** Index of the audio track whose waveform is wanted; that of the server's choice when it is absent. */
  track?: number | null;
}

/** For a header; one that takes longer wastes time. In ms. */
const HEADER_LIMIT_MS = 5_000;
/** The worker keeps to its budget by itself, unless a single piece holds it. In ms. */
const PEAKS_LIMIT_MS = PEAKS_BUDGET_MS + 2_000;

/** Headers are short work, so that the lengths of twenty files are there at once; a waveform needs a core of its own. */
const headerTurns = taskQueue(2);
const peaksTurns = taskQueue(1);

/**
 * Gives the duration and the tracks as soon as they are known, then the same with a waveform that grows more exact, and
 * ends. Never throws: what cannot be read is null or empty, and the first facts come in any case unless it was aborted.
 */
export async function* readFacts(file: File, { signal, peaks, track = null }: ReadOptions): AsyncGenerator<MediaFacts> {
  let facts = NO_FACTS;
  for await (const header of inTurn(headerTurns, signal, () => askWorker({ kind: "header", file }, HEADER_LIMIT_MS, signal))) {
    if (header.kind === "header") {
      facts = { duration: header.duration, tracks: header.tracks, peaks: null };
      yield facts;
    }
  }
  if (signal.aborted) return;
  if (facts === NO_FACTS) yield facts;
  if (facts.duration !== null && facts.tracks.length > 0) {
    const { duration, tracks } = facts;
    const task = { kind: "peaks", file, track: selectedTrack(tracks, track), duration, peaks } as const;
    for await (const waveform of inTurn(peaksTurns, signal, () => askWorker(task, PEAKS_LIMIT_MS, signal))) {
      if (waveform.kind === "peaks") {
        facts = { duration, tracks, peaks: waveform.peaks };
        yield facts;
      }
    }
  }
  yield* inTurn(peaksTurns, signal, () => completeByBrowser(file, facts, peaks, signal));
}

/** A format that the reader does not know, or a codec that a worker may not decode, as on a page without https. */
async function* completeByBrowser(file: File, { duration, tracks, peaks }: MediaFacts, bars: number, signal: AbortSignal) {
  // The browser would play one of several tracks, and not say which.
  if (peaks !== null || tracks.length > 1 || file.size === 0) return;
  const seconds = duration ?? (await durationByBrowser(file, signal));
  if (seconds === null || signal.aborted) return;
  if (seconds !== duration) yield { duration: seconds, tracks, peaks: null };
  const drawn = await peaksByBrowser(file, seconds, bars, signal);
  if (drawn) yield { duration: seconds, tracks, peaks: drawn };
}

async function* inTurn<T>(take: ReturnType<typeof taskQueue>, signal: AbortSignal, work: () => AsyncGenerator<T>) {
  const release = await take(signal);
  if (!release) return;
  try {
    yield* work();
  } finally {
    release();
  }
}
