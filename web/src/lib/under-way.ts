/** What runs on while the reader is elsewhere in the application: told by whoever runs it, shown in the header of every page. */
import { createStore } from "zustand/vanilla";

export interface UploadsUnderWay {
  /** Files that are not at the server yet. */
  count: number;
  /** 0 to 100, of all that were chosen together. */
  percent: number;
  /** `waiting`: the connection is lost, and it goes on by itself. */
  state: "sending" | "waiting" | "paused";
}

export interface RecordingUnderWay {
  /** Whole seconds of sound. */
  seconds: number;
  /** `sending`: it is over, and the rest of it is on its way. */
  state: "recording" | "paused" | "sending";
}

interface UnderWay {
  uploads: UploadsUnderWay | null;
  recording: RecordingUnderWay | null;
}

export const underWay = createStore<UnderWay>()(() => ({ uploads: null, recording: null }));

/** Tells what is under way now; what is as it was wakes nobody. */
export function setUnderWay<Kind extends keyof UnderWay>(kind: Kind, now: UnderWay[Kind]): void {
  if (JSON.stringify(underWay.getState()[kind]) !== JSON.stringify(now)) {
    underWay.setState({ [kind]: now } as Pick<UnderWay, Kind>);
  }
}
