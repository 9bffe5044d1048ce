/** What is in a chosen file, read in the browser without loading it whole. Only this folder imports `mediabunny`. */
export { type MediaFacts, type MediaTrack, NO_FACTS } from "./facts";
export { type ReadOptions, readFacts } from "./read-facts";
export { meantTrack } from "./sanitise";
export { type FactsReading, PEAKS, useMediaFacts } from "./use-media-facts";
