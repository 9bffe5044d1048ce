/** The state and actions of an upload, and its dependencies. Implemented by `upload-store.ts`. */
import type { StoreApi } from "zustand/vanilla";
import type { Upload, Violation } from "@/api";
import type { Settings } from "@/domain/settings";
import type { FileDatabase } from "./file-database";
import type { Rate } from "./transfer-rate";
import type { TransferSlots } from "./transfer-slots";
import type { StartTransfer, TransferFailure } from "./tus-uploads";

/**
 * empty -> next -> uploading <-> paused | waiting -> checking -> ready; failed from any of them. `next`: queued behind
 * others. `waiting`: the connection is lost and it retries by itself. `checking`: all bytes are sent, the server
 * inspects the file.
 */
export type UploadPhase = "empty" | "next" | "uploading" | "paused" | "waiting" | "checking" | "ready" | "failed";

export interface UploadFailure {
  /** A problem code, see locales/problems.json; null without a readable response. */
  code: string | null;
  params: Record<string, unknown>;
  /** Violations, if the response contains them. */
  violations: readonly Violation[];
}

/** What a job is created with. */
export interface JobOrder {
  settings: Settings;
  /** Id of the preset that the settings come from. */
  presetId: string | null;
  /** Index among the recording's audio tracks; null leaves the choice to the server. */
  audioTrack: number | null;
}

/** The job to be created from a recording of any source. */
export interface PendingJob {
  /** The order with which the job starts as soon as the upload is ready; null if not requested. */
  queued: JobOrder | null;
  /** The job is being created. */
  submitting: boolean;
  /** Why it could not be created; null without an error. */
  jobError: unknown;
  /** Creates the job: now, or as soon as the recording is ready. */
  start: (order: JobOrder) => void;
  /** Cancels a delayed `start`. */
  unqueue: () => void;
  /** The reader has seen the error and corrects its cause. */
  forgetJobError: () => void;
}

export interface UploadState extends PendingJob {
  phase: UploadPhase;
  file: { name: string; size: number; type: string } | null;
  sent: number;
  rate: Rate;
  /** The server's result of inspecting the complete file. */
  upload: Upload | null;
  failure: UploadFailure | null;
  begin: (owner: string, file: File) => Promise<void>;
  /** Continues with the file of an earlier visit, if there is one. */
  restore: (owner: string) => Promise<void>;
  pause: () => void;
  resume: () => void;
  /**
   * The session has expired: stops and shows nothing, but keeps what its owner needs to continue after signing in
   * again.
   */
  suspend: () => void;
  /** Stops, removes the upload from the server, and resets. */
  discard: () => Promise<void>;
}

export type UploadStore = StoreApi<UploadState>;

export interface UploadParts {
  /** Violations found in the first bytes of the file. */
  checkContent: (file: File) => Promise<readonly Violation[]>;
  startTransfer: StartTransfer;
  endpoint: () => string;
  authorize: () => Promise<Record<string, string>>;
  /** Asks the server for a finished upload. */
  inspect: (uploadId: string) => Promise<Upload>;
  /** Whether an error of `inspect` is temporary: a lost connection, a busy server. */
  isTransient: (error: unknown) => boolean;
  /** Creates the job and returns its id. */
  createJob: (uploadId: string, order: JobOrder) => Promise<string>;
  /** The order to start as soon as possible, stored with the file. */
  queue: { keep: (owner: string, order: JobOrder | null) => void; read: (owner: string) => JobOrder | null };
  /** The reader may be on another page when this happens. */
  listener: { onStarted: (jobId: string) => void; onTrouble: (what: "upload" | "job") => void };
  /** Converts a refused request to a code. */
  explain: (failure: TransferFailure) => UploadFailure;
  /** Converts an error of `inspect` to a code. */
  explainError: (error: unknown) => UploadFailure;
  database: FileDatabase;
  /** Limits concurrent uploads. */
  slots: TransferSlots;
  lock: (name: string) => Promise<(() => void) | null>;
  forget: () => void;
  /** Milliseconds of a monotonic clock. */
  now: () => number;
}
