/** Recording in the browser. */
export { useIsRecording } from "./the-recording";
export { VoiceTab } from "./voice-tab";
