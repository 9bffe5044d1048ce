/** What is in a chosen file, read in the browser without loading it whole. Only this folder imports `mediabunny`. */
export { type MediaFacts, type MediaTrack, NO_FACTS } from "./facts";
export { type ReadOptions, readFacts } from "./read-facts";
export { type FactsReading, useMediaFacts } from "./use-media-facts";
