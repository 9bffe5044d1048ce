/** State and actions of this tab's recording. */
import type { StoreApi } from "zustand";
import type { CaptureFailure, SoundSource, StartCapture } from "./capture";
import type { DiscardedUploads } from "./discards";
import type { Offer } from "./offers";
import type { TakeParts } from "./take";

export type RecordingPhase = "idle" | "asking" | "recording" | "paused" | "recorded" | "using";

export type RecordingProblem =
  | { kind: "capture"; trouble: CaptureFailure }
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
  /** Id of the current recording. */
  id: string | null;
  /** Its file name. */
  filename: string;
  /** Whole seconds of sound, by the number of samples. */
  seconds: number;
  /** Bytes recorded, and bytes on the server. */
  bytes: number;
  acked: number;
  /** Why sending is being retried; null while it works. */
  waiting: unknown;
  problem: RecordingProblem | null;
  /** Whole seconds until the maximum length; null while that is far. */
  secondsLeft: number | null;
  /** Whether sound can be added: it is below the maximum length, and its length is not declared. */
  open: boolean;
  /** Whether the browser cannot store unsent sound. */
  unkept: boolean;
  source: SoundSource;
  /** Null for the browser's default. */
  deviceId: string | null;
  /** Interrupted recordings; null while loading. */
  offers: readonly Offer[] | null;
  /** Looks for interrupted recordings of this account only. */
  look: (owner: string) => Promise<void>;
  start: (owner: string, filename: string) => Promise<void>;
  pause: () => void;
  /** Continues recording: after a pause, after stopping, or with another microphone. */
  resume: () => Promise<void>;
  stop: () => Promise<void>;
  choose: (change: { source?: SoundSource; deviceId?: string | null }) => Promise<void>;
  /** Makes an interrupted recording the current one; returns whether it succeeded. */
  takeUp: (offer: Offer) => Promise<boolean>;
  /** Sends the rest and returns the upload; null if that failed or was cancelled. */
  use: () => Promise<UsedRecording | null>;
  /** Stops waiting for the rest to be sent. */
  callOff: () => void;
  /** Retries after a refusal by the server. */
  retry: () => void;
  /** The whole recording as a file; null if it is not complete in this browser. */
  play: () => Promise<Blob | null>;
  /** Closes the current recording, and returns what it was; it is still stored, and becomes an offer. */
  putAside: () => Promise<Pick<Offer, "id" | "uploadId" | "filename"> | null>;
  /** Deletes a recording here and on the server; later, if the server is unreachable now. */
  remove: (offer: Pick<Offer, "id" | "uploadId">, keepalive: boolean) => Promise<void>;
  /** Deletes discarded recordings from the server that could not be deleted before. */
  finishDiscards: () => Promise<void>;
  dismiss: () => void;
  /**
   * The session has ended: stops, stores, and shows nothing. With `leave`, only what is not on the server is kept here.
   */
  suspend: (leave: boolean) => Promise<void>;
}

export type RecordingStore = StoreApi<RecordingState>;

export interface RecordingParts extends TakeParts {
  startCapture: StartCapture;
  /** Returns the release function, or null when another tab holds the lock. */
  lock: (name: string) => Promise<(() => void) | null>;
  discards: DiscardedUploads;
  newId: () => string;
  /** Milliseconds since 1970. */
  now: () => number;
  /** 0 to 1, about twenty times per second. */
  onLevel: (peak: number) => void;
  /** The microphone chosen last. */
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
