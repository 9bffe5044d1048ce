/** What is in a chosen file, read in the browser without loading it whole. Only this folder imports `mediabunny`. */
export type { MediaFacts, MediaTrack } from "./facts";
export { selectedTrack } from "./sanitise-facts";
export { PEAKS, useMediaFacts } from "./use-media-facts";
