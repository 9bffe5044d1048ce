/** The recordings on the tray, in order, and the actions on them. Implemented by `tray-store.ts`. */
import type { StoreApi } from "zustand/vanilla";
import type { UrlProbe, Violation } from "@/api";
import type { Choice } from "@/domain/settings/settings-draft";
import type { MediaTrack } from "@/lib/media-facts";
import type { JobOrder, PendingJob, UploadState } from "./upload-model";

/** Number of concurrent uploads. */
export const MAX_SENDING = 2;

/** A recording already on the server: recorded on this page, or uploaded earlier. */
export interface Recording {
  /** Id of the upload. */
  id: string;
  filename: string;
  /** In bytes. */
  size: number;
  /** In seconds; null if unknown. */
  duration: number | null;
  /** A voice recording, unless it is marked as a file. */
  kind?: "file" | "voice";
}

interface TrayItemBase {
  /** Stable for a recording, also after a reload. */
  key: string;
  /** Display name. */
  name: string;
  /** Its own settings, if they differ from the common ones. */
  own: Choice | null;
  /** Index of the chosen audio track; null leaves the choice to the server. */
  track: number | null;
}

export interface FileItem extends TrayItemBase {
  kind: "file";
  /** Null if the browser has not stored it. */
  file: File | null;
  /** Duration in seconds, as read by the browser; null if unknown. */
  readDuration: number | null;
  state: UploadState;
}

export interface UrlItem extends TrayItemBase {
  kind: "url";
  url: string;
  /** The server's result of probing the URL. */
  found: UrlProbe;
  state: PendingJob;
}

export interface VoiceItem extends TrayItemBase {
  kind: "voice";
  recording: Recording;
  state: PendingJob;
}

export type TrayItem = FileItem | UrlItem | VoiceItem;

/** Why a recording was not added to the tray. */
export interface RefusedRecording {
  name: string;
  /** Violations; otherwise it is a duplicate, the tray is full, or another tab has it. */
  reason: readonly Violation[] | "again" | NotAddedReason;
}

export type NotAddedReason = "full" | "elsewhere";

export interface StartedJob {
  key: string;
  name: string;
  jobId: string;
}

export interface TrayState {
  items: readonly TrayItem[];
  /** Whether every recording has its own settings. */
  separate: boolean;
  /** Jobs created in one submission while the rest is still in progress. */
  started: readonly StartedJob[];
  /** Everything was submitted, and the reader is being navigated away. */
  finished: boolean;
  /** Adds the files that the rules allow, in order; returns why others were refused. */
  addFiles: (owner: string, files: readonly File[]) => Promise<readonly RefusedRecording[]>;
  /** Null if it was added. A URL that is already there is unchanged. */
  addUrl: (owner: string, url: string, probe: UrlProbe) => Promise<NotAddedReason | null>;
  addRecording: (owner: string, recording: Recording) => Promise<NotAddedReason | null>;
  /** Restores this owner's items from an earlier visit, except those in another tab. */
  restore: (owner: string) => Promise<void>;
  /**
   * Removes recordings from the tray. If a file or voice recording would be lost, it is deleted only after `UNDO_MS`:
   * the returned function restores it until `onOver` is called. Null if there is nothing to restore.
   */
  remove: (keys: readonly string[], onOver: () => void) => (() => void) | null;
  setSeparate: (separate: boolean) => void;
  setOwn: (key: string, own: Choice) => void;
  setTrack: (key: string, track: number | null) => void;
  /** Stores the duration that the browser has found. */
  noteDuration: (key: string, seconds: number) => void;
  /** Creates a job for every possible recording: now, or as soon as it is uploaded. */
  start: (orderOf: (item: TrayItem) => JobOrder) => void;
  /** Changes the order of those waiting for their upload. */
  requeue: (orderOf: (item: TrayItem) => JobOrder) => void;
  unqueue: () => void;
  forgetJobErrors: () => void;
  /** Called when the reader has been navigated away or has come back. */
  forgetFinished: () => void;
  /** The session has expired: stops and shows nothing, but keeps what the owner needs to continue. */
  suspend: () => void;
  /** Deletes everything at once. */
  clear: () => void;
}

export type Tray = StoreApi<TrayState>;

export const EMPTY_TRAY = { items: [], separate: false, started: [], finished: false } satisfies Partial<TrayState>;

/** A file with a failed upload only shows its error. */
export const isLive = (item: TrayItem): boolean =>
  item.kind !== "file" || (item.state.phase !== "failed" && item.state.phase !== "empty");

/** Whether there is an error. A file that has just become a job is no longer live, but has not failed. */
export const hasFailed = (item: TrayItem): item is FileItem => item.kind === "file" && item.state.phase === "failed";

/** Whether all its bytes are on the server, or none are needed. */
export const isReady = (item: TrayItem): boolean => item.kind !== "file" || item.state.phase === "ready";

/** Whether the reader would have to choose, upload or record it again. */
export const needsUndo = (item: TrayItem): boolean => item.kind === "voice" || (item.kind === "file" && isLive(item));

/** In seconds; null while unknown. */
export function durationOf(item: TrayItem): number | null {
  switch (item.kind) {
    case "file":
      return item.state.upload?.media?.duration ?? item.readDuration;
    case "url":
      return item.found.duration ?? null;
    case "voice":
      return item.recording.duration;
  }
}

/** The selectable tracks, from the server or, before that, from the browser; empty while unknown. */
export function tracksOf(item: FileItem, read: readonly MediaTrack[]): readonly MediaTrack[] {
  return item.state.upload?.media?.audio_tracks ?? read;
}
