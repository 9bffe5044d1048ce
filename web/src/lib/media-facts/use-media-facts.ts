/** The facts of a file for a component, read once for each file and track. */
import { useEffect, useState } from "react";
import { type MediaFacts, NO_FACTS } from "./facts";
import { readFacts } from "./read-facts";

/** Bars of a waveform: three pixels each on the narrowest phone. */
export const PEAKS = 96;

export interface FactsReading {
  facts: MediaFacts;
  /** `reading`: what is still null may come. */
  state: "reading" | "read";
}

/** What was read to its end, for as long as the page holds the file: a step back and forth reads nothing again. */
const read = new WeakMap<File, Map<number | null, MediaFacts>>();

/** `file` is null where the browser has not kept it: nothing is read. `track`: whose waveform is wanted. */
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
  // The length and the tracks are those of the file; only the waveform is the track's.
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
