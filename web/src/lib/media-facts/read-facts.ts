/** Reads the facts of a chosen file in the browser. */
import { durationByBrowser, peaksByBrowser } from "./browser-decoder";
import { type MediaFacts, NO_FACTS } from "./facts";
import { PEAKS_BUDGET_MS } from "./protocol";
import { runInWorker } from "./run-in-worker";
import { selectedTrack } from "./sanitise-facts";
import { taskQueue } from "./task-queue";

export interface ReadOptions {
  /** Stops reading; the last facts remain valid. */
  signal: AbortSignal;
  /** Number of bars of the waveform. */
  peaks: number;
  /** Index of the audio track for the waveform; by default the one that the server would choose. */
  track?: number | null;
}

/** Timeout for the header, in ms. */
const HEADER_LIMIT_MS = 5_000;
/** The worker observes its own limit except while it decodes a piece. In ms. */
const PEAKS_LIMIT_MS = PEAKS_BUDGET_MS + 2_000;

/** Headers are quick, so that the durations of twenty files appear soon; a waveform uses a whole core. */
const headerTurns = taskQueue(2);
const peaksTurns = taskQueue(1);

/**
 * Yields the duration and the tracks as soon as they are known, then the same with an increasingly exact waveform. Never
 * throws: unreadable facts are null or empty. Unless aborted, it yields at least once.
 */
export async function* readFacts(file: File, { signal, peaks, track = null }: ReadOptions): AsyncGenerator<MediaFacts> {
  let facts = NO_FACTS;
  for await (const header of inTurn(headerTurns, signal, () => runInWorker({ kind: "header", file }, HEADER_LIMIT_MS, signal))) {
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
    for await (const waveform of inTurn(peaksTurns, signal, () => runInWorker(task, PEAKS_LIMIT_MS, signal))) {
      if (waveform.kind === "peaks") {
        facts = { duration, tracks, peaks: waveform.peaks };
        yield facts;
      }
    }
  }
  yield* inTurn(peaksTurns, signal, () => completeByBrowser(file, facts, peaks, signal));
}

/** For formats that the parser does not know, and codecs that a worker cannot decode, as on a page without https. */
async function* completeByBrowser(file: File, { duration, tracks, peaks }: MediaFacts, bars: number, signal: AbortSignal) {
  // Of several tracks it would be unknown which one the browser plays.
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
