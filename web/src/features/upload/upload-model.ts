/** What an upload is, what can be done with it, and what it is made of. `upload-store.ts` brings it to life. */
import type { StoreApi } from "zustand/vanilla";
import type { Upload, Violation } from "@/api";
import type { Settings } from "@/domain/settings";
import type { FileShelf } from "./file-shelf";
import type { Rate } from "./transfer-rate";
import type { TransferSlots } from "./transfer-slots";
import type { StartTransfer, TransferFailure } from "./tus-uploads";

/**
 * empty -> next -> uploading <-> paused | waiting -> checking -> ready; failed from any of them.
 * `next`: others are sent first. `waiting`: the connection is lost and it tries again by itself. `checking`: all bytes are
 * there, the server looks.
 */
export type UploadPhase = "empty" | "next" | "uploading" | "paused" | "waiting" | "checking" | "ready" | "failed";

export interface UploadFailure {
  /** A problem code, see locales/problems.json; null when there was no readable answer. */
  code: string | null;
  params: Record<string, unknown>;
  /** Broken rules, when the answer names them. */
  violations: readonly Violation[];
}

/** What a job is made with. */
export interface JobOrder {
  settings: Settings;
  /** Id of the preset that the settings come from. */
  presetId: string | null;
  /** Index among the recording's audio tracks; null leaves the choice to the server. */
  audioTrack: number | null;
}

/** What is to become of a recording, whichever way it came. */
export interface JobWish {
  /** What the job is to begin with as soon as the upload is ready; null when the reader has not said that it shall. */
  queued: JobOrder | null;
  /** The job is being created. */
  submitting: boolean;
  /** Why it could not be created; null when there is nothing to say. */
  jobError: unknown;
  /** Makes the job: now, or as soon as the recording is ready. */
  start: (order: JobOrder) => void;
  /** Takes back what `start` has put off. */
  unqueue: () => void;
  /** The reader has seen why there is no job, and mends it. */
  forgetJobError: () => void;
}

export interface UploadState extends JobWish {
  phase: UploadPhase;
  file: { name: string; size: number; type: string } | null;
  sent: number;
  rate: Rate;
  /** What the server found in the file, once it is there in full. */
  upload: Upload | null;
  failure: UploadFailure | null;
  begin: (owner: string, file: File) => Promise<void>;
  /** Goes on with the file of an earlier visit, if there is one. */
  restore: (owner: string) => Promise<void>;
  pause: () => void;
  resume: () => void;
  /** The session has run out: stops and shows nothing, but keeps what its owner needs to go on after signing in again. */
  suspend: () => void;
  /** Stops, removes what the server has, and begins anew. */
  discard: () => Promise<void>;
}

export type UploadStore = StoreApi<UploadState>;

export interface UploadParts {
  /** What keeps the file from being sent, by its first bytes. */
  checkContent: (file: File) => Promise<readonly Violation[]>;
  startTransfer: StartTransfer;
  endpoint: () => string;
  authorize: () => Promise<Record<string, string>>;
  /** What the server says of a finished upload. */
  inspect: (uploadId: string) => Promise<Upload>;
  /** Whether what `inspect` threw may pass: the line is cut, the server is busy. */
  mayPass: (error: unknown) => boolean;
  /** Makes the job and gives its id. */
  createJob: (uploadId: string, order: JobOrder) => Promise<string>;
  /** The wish to start as soon as possible, kept with the file. */
  queue: { keep: (owner: string, order: JobOrder | null) => void; read: (owner: string) => JobOrder | null };
  /** The reader may be on another page when this happens. */
  news: { onStarted: (jobId: string) => void; onTrouble: (what: "upload" | "job") => void };
  /** Turns a refused request into a code. */
  explain: (failure: TransferFailure) => UploadFailure;
  /** Turns an error of `inspect` into a code. */
  explainError: (error: unknown) => UploadFailure;
  shelf: FileShelf;
  /** Its place among the files that are sent at once. */
  slots: TransferSlots;
  lock: (name: string) => Promise<(() => void) | null>;
  forget: () => void;
  /** Milliseconds of a clock that never goes back. */
  now: () => number;
}
