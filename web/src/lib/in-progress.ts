/** The state of uploads and the recording, which continue on other pages; shown in the header of every page. */
import { createStore } from "zustand/vanilla";

export interface UploadsInProgress {
  /** Number of files that are not completely on the server yet. */
  count: number;
  /** 0 to 100, over all files. */
  percent: number;
  /** `waiting`: the connection is lost; the upload continues automatically. */
  state: "sending" | "waiting" | "paused";
}

export interface RecordingInProgress {
  /** Duration in whole seconds. */
  seconds: number;
  /** `sending`: the recording has ended, and its rest is being uploaded. */
  state: "recording" | "paused" | "sending";
}

interface InProgressState {
  uploads: UploadsInProgress | null;
  recording: RecordingInProgress | null;
}

export const inProgress = createStore<InProgressState>()(() => ({ uploads: null, recording: null }));

/** Updates the state; does not notify subscribers if nothing has changed. */
export function setInProgress<Kind extends keyof InProgressState>(kind: Kind, next: InProgressState[Kind]): void {
  if (JSON.stringify(inProgress.getState()[kind]) !== JSON.stringify(next)) {
    inProgress.setState({ [kind]: next } as Pick<InProgressState, Kind>);
  }
}
