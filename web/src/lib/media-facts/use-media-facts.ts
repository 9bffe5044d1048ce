/** The facts of a file, read once per file and track. */
import { useEffect, useState } from "react";
import { type MediaFacts, NO_FACTS } from "./facts";
import { readFacts } from "./read-facts";

/** Number of bars of a waveform: three pixels each on the narrowest phone. */
export const PEAKS = 96;

export interface FactsReading {
  facts: MediaFacts;
  /** `reading`: facts that are null may still become known. */
  state: "reading" | "read";
}

/** Cache of complete facts, so that going back and forth does not read a file again. */
const read = new WeakMap<File, Map<number | null, MediaFacts>>();

/** Nothing is read if `file` is null. `track`: index of the track for the waveform. */
export function useMediaFacts(file: File | null, track: number | null = null): FactsReading {
  const [latest, setLatest] = useState<{ file: File; track: number | null; facts: MediaFacts } | null>(null);
  const [, setReadings] = useState(0);
  useEffect(() => {
    if (!file || read.get(file)?.has(track)) return;
    const abort = new AbortController();
    void follow(file, track, abort.signal, (facts) => setLatest({ file, track, facts })).then(() =>
      setReadings((count) => count + 1),
    );
    return () => abort.abort();
  }, [file, track]);
  if (!file) return { facts: NO_FACTS, state: "read" };
  const known = read.get(file)?.get(track);
  if (known) return { facts: known, state: "read" };
  if (latest?.file === file && latest.track === track) return { facts: latest.facts, state: "reading" };
  // Duration and tracks belong to the file; only the waveform depends on the track.
  const other = latest?.file === file ? latest.facts : read.get(file)?.values().next().value;
  return { facts: other ? { ...other, peaks: null } : NO_FACTS, state: "reading" };
}

async function follow(file: File, track: number | null, signal: AbortSignal, onFacts: (facts: MediaFacts) => void) {
  let last: MediaFacts = NO_FACTS;
  for await (const facts of readFacts(file, { signal, peaks: PEAKS, track })) {
    last = facts;
    onFacts(facts);
  }
  if (signal.aborted) return;
  const tracks = read.get(file) ?? new Map<number | null, MediaFacts>();
  read.set(file, tracks.set(track, last));
}
