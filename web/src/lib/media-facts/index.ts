/** Reads facts of a chosen file in the browser without loading all of it. Only this folder imports `mediabunny`. */
export type { MediaFacts, MediaTrack } from "./facts";
export { selectedTrack } from "./sanitise-facts";
export { PEAKS, useMediaFacts } from "./use-media-facts";
