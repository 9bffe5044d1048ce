/** The facts of a file for a component, read once for each file and track. */
import { type MediaFacts, NO_FACTS } from "./facts";

export interface FactsReading {
  facts: MediaFacts;
  /** `reading`: what is still null may come. */
  state: "reading" | "read";
}

/** `file` is null where the browser has not kept it: nothing is read. `track`: whose waveform is wanted. */
export function useMediaFacts(_file: File | null, _track: number | null = null): FactsReading {
  return { facts: NO_FACTS, state: "read" };
}
