/** The recording of this tab, connected to the microphone, the server and the browser's storage. */
import { onSessionEnd } from "@/api";
import { tryTabLock } from "@/api/tab-lock";
import { type RecordingInProgress, setInProgress } from "@/lib/in-progress";
import { uploadLimit } from "../upload-limit";
import { startCapture } from "./capture";
import { readDevice, storeDevice } from "./devices";
import { storedDiscards } from "./discards";
import { createLevels } from "./levels";
import { guardPage } from "./page-guard";
import { browserRecordingDatabase } from "./recording-database";
import type { RecordingPhase } from "./recording-state";
import { createRecordingStore } from "./recording-store";
import { serverTransfer } from "./voice-transfer";
import { longestRecording } from "./wav";

export const levels = createLevels();

export const theRecording = createRecordingStore({
  startCapture,
  database: browserRecordingDatabase(),
  transfer: serverTransfer,
  wait: waitForLine,
  most: () => longestRecording(uploadLimit()),
  lock: tryTabLock(globalThis.navigator?.locks, localStorage),
  discards: storedDiscards(localStorage),
  newId: newRecordingId,
  now: () => Date.now(),
  onLevel: levels.publish,
  device: { read: readDevice, keep: storeDevice },
});

const SHOWN: Partial<Record<RecordingPhase, RecordingInProgress["state"]>> = {
  recording: "recording",
  paused: "paused",
  using: "sending",
};
theRecording.subscribe(({ phase, seconds }) => {
  const state = SHOWN[phase];
  setInProgress("recording", state ? { state, seconds } : null);
});

window.addEventListener("online", () => void theRecording.getState().finishDiscards());
guardPage(theRecording, window, globalThis.navigator?.wakeLock);

// Recording ends with the session. Sound that is not on the server stays here under its owner's id, and is offered to
// nobody else; after signing out nothing else is kept.
onSessionEnd((reason) => void theRecording.getState().suspend(reason !== "expired"));

/**
 * `crypto.randomUUID` is missing on plain http; recording is impossible there, but an interrupted recording can be
 * used.
 */
function newRecordingId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Ends early when the network is back or the wait is cancelled. */
function waitForLine(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener("online", end);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    window.addEventListener("online", end);
    signal.addEventListener("abort", end);
  });
}
