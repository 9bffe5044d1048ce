/** Recording in the browser. */
export { VoiceTab } from "./voice-tab";
