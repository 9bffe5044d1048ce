/** What is known of the recording of this tab, and what can be done with it. */
import type { StoreApi } from "zustand";
import type { CaptureTrouble, SoundSource, StartCapture } from "./capture";
import type { Discards } from "./discards";
import type { Offer } from "./offers";
import type { TakeParts } from "./take";

export type RecordingPhase = "idle" | "asking" | "recording" | "paused" | "recorded" | "using";

export type RecordingProblem =
  | { kind: "capture"; trouble: CaptureTrouble }
  /** The server refused permanently. Recording continues regardless. */
  | { kind: "server"; error: unknown }
  /** Another tab has this recording. */
  | { kind: "other_tab" };

/** What step 2 gets. Size in bytes, duration in seconds. */
export interface UsedRecording {
  id: string;
  filename: string;
  size: number;
  duration: number;
}

export interface RecordingState {
  phase: RecordingPhase;
  /** Id of the recording in hand. */
  id: string | null;
  /** Its name as a file. */
  filename: string;
  /** Whole seconds of sound, by its samples. */
  seconds: number;
  /** Bytes recorded, and those of them that the server has. */
  bytes: number;
  acked: number;
  /** Why sending waits and tries again by itself; null while it gets through. */
  waiting: unknown;
  problem: RecordingProblem | null;
  /** Whole seconds until it is as long as it may be; null while that is far. */
  secondsLeft: number | null;
  /** Whether sound can be added: it is not as long as it may be, and its length is not declared. */
  open: boolean;
  /** The browser keeps no copy of what is not sent yet. */
  unkept: boolean;
  source: SoundSource;
  /** Null for the browser's own choice. */
  deviceId: string | null;
  /** Interrupted recordings; null while loading. */
  offers: readonly Offer[] | null;
  /** Looks for what was broken off. Another account's is never shown. */
  look: (owner: string) => Promise<void>;
  start: (owner: string, filename: string) => Promise<void>;
  pause: () => void;
  /** Goes on recording: after a pause, after stopping, with another microphone. */
  resume: () => Promise<void>;
  stop: () => Promise<void>;
  choose: (change: { source?: SoundSource; deviceId?: string | null }) => Promise<void>;
  /** Takes a broken-off recording in hand; whether it could. */
  takeUp: (offer: Offer) => Promise<boolean>;
  /** Sends the rest and gives the upload; null when that failed or was called off. */
  use: () => Promise<UsedRecording | null>;
  /** Does not wait any longer for the rest to be sent. */
  callOff: () => void;
  /** Tries again after the server's no. */
  retry: () => void;
  /** The whole recording as a file; null when not all of it is here. */
  play: () => Promise<Blob | null>;
  /** Lets go of the recording in hand, and says what it was; it is there still, and among the offers. */
  putAside: () => Promise<Pick<Offer, "id" | "uploadId" | "filename"> | null>;
  /** Removes a recording here and at the server; there later, where it cannot be told now. */
  remove: (offer: Pick<Offer, "id" | "uploadId">, keepalive: boolean) => Promise<void>;
  /** Tells the server what was discarded while it could not be told. */
  finishDiscards: () => Promise<void>;
  dismiss: () => void;
  /** The session is over: stops, keeps, and shows nothing. With `leave` only what the server does not have stays here. */
  suspend: (leave: boolean) => Promise<void>;
}

export type RecordingStore = StoreApi<RecordingState>;

export interface RecordingParts extends TakeParts {
  startCapture: StartCapture;
  /** Returns the release function, or null when another tab holds the lock. */
  lock: (name: string) => Promise<(() => void) | null>;
  discards: Discards;
  newId: () => string;
  /** Milliseconds since 1970. */
  now: () => number;
  /** 0 to 1, some twenty times a second. */
  onLevel: (peak: number) => void;
  /** The microphone that was chosen last. */
  device: { read: () => string | null; keep: (id: string | null) => void };
}

export const EMPTY = {
  phase: "idle",
  id: null,
  filename: "",
  seconds: 0,
  bytes: 0,
  acked: 0,
  waiting: null,
  problem: null,
  secondsLeft: null,
  open: true,
  unkept: false,
} satisfies Partial<RecordingState>;
