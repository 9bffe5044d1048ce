/** The state of uploads and the recording, which continue on other pages; shown in the header of every page. */
import { createStore } from "zustand/vanilla";

export interface UploadsUnderWay {
  /** Number of files that are not completely on the server yet. */
  count: number;
  /** 0 to 100, over all files. */
  percent: number;
  /** `waiting`: the connection is lost; the upload continues automatically. */
  state: "sending" | "waiting" | "paused";
}

export interface RecordingUnderWay {
  /** Duration in whole seconds. */
  seconds: number;
  /** `sending`: the recording has ended, and its rest is being uploaded. */
  state: "recording" | "paused" | "sending";
}

interface UnderWayState {
  uploads: UploadsUnderWay | null;
  recording: RecordingUnderWay | null;
}

export const underWay = createStore<UnderWayState>()(() => ({ uploads: null, recording: null }));

/** Updates the state; does not notify subscribers if nothing has changed. */
export function setUnderWay<Kind extends keyof UnderWayState>(kind: Kind, next: UnderWayState[Kind]): void {
  if (JSON.stringify(underWay.getState()[kind]) !== JSON.stringify(next)) {
    underWay.setState({ [kind]: next } as Pick<UnderWayState, Kind>);
  }
}
