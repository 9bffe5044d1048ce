/** The recordings of the page, in order, and what can be done with them. `tray-store.ts` brings it to life. */
import type { StoreApi } from "zustand/vanilla";
import type { UrlProbe, Violation } from "@/api";
import type { Choice } from "@/domain/settings/settings-draft";
import type { MediaTrack } from "@/lib/media-facts";
import type { JobOrder, JobWish, UploadState } from "./upload-model";

/** As many as the server holds open for one account. */
export const MAX_ITEMS = 20;

/** How many files are sent at once. */
export const MAX_SENDING = 2;

/** How long a discarded recording can be had back, in ms. */
export const UNDO_MS = 10_000;

/** What is at the server already: recorded on this page, or uploaded earlier. */
export interface Recording {
  /** Id of the upload. */
  id: string;
  filename: string;
  /** Bytes. */
  size: number;
  /** Seconds; null where the file does not say. */
  duration: number | null;
  /** Recorded, unless it says that it was a file. */
  kind?: "file" | "voice";
}

interface Common {
  /** The same for the same recording, also after a reload. */
  key: string;
  /** For people. */
  name: string;
  /** Its settings, once they were changed apart from the common ones. */
  own: Choice | null;
  /** Index of the chosen audio track; null leaves the choice to the server. */
  track: number | null;
}

export interface FileItem extends Common {
  kind: "file";
  /** For its facts; null where the browser has not kept it. */
  file: File | null;
  /** Seconds, as the browser read them in the file; null while or where it cannot tell. */
  readDuration: number | null;
  state: UploadState;
}

export interface UrlItem extends Common {
  kind: "url";
  url: string;
  /** What the server found there. */
  found: UrlProbe;
  state: JobWish;
}

export interface VoiceItem extends Common {
  kind: "voice";
  recording: Recording;
  state: JobWish;
}

export type TrayItem = FileItem | UrlItem | VoiceItem;

/** Why a recording did not get onto the tray. */
export interface Refusal {
  name: string;
  /** Broken rules; else it is there already, the tray is full, or another tab has it on its tray. */
  reason: readonly Violation[] | "again" | NoPlace;
}

export type NoPlace = "full" | "elsewhere";

export interface StartedJob {
  key: string;
  name: string;
  jobId: string;
}

export interface TrayState {
  items: readonly TrayItem[];
  /** Every recording has settings of its own. */
  separate: boolean;
  /** Jobs that were made of one submission while the rest of it is still on its way. */
  started: readonly StartedJob[];
  /** Everything was submitted and the reader is being led on. */
  finished: boolean;
  /** Takes what the rules allow, in order, and says why it did not take the rest. */
  addFiles: (owner: string, files: readonly File[]) => Promise<readonly Refusal[]>;
  /** Null where it was taken. An address that is there already stays as it is. */
  addUrl: (owner: string, url: string, found: UrlProbe) => Promise<NoPlace | null>;
  addRecording: (owner: string, recording: Recording) => Promise<NoPlace | null>;
  /** Goes on with what an earlier visit of this owner had begun and no other tab has. */
  restore: (owner: string) => Promise<void>;
  /**
   * Takes recordings off the tray. Where a file or a voice would be lost they are only gone after `UNDO_MS`: the answer puts them back
   * until `onOver` is called. Null: there is nothing to put back.
   */
  remove: (keys: readonly string[], onOver: () => void) => (() => void) | null;
  setSeparate: (separate: boolean) => void;
  setOwn: (key: string, own: Choice) => void;
  setTrack: (key: string, track: number | null) => void;
  /** The browser has found out how long a file is. */
  noteDuration: (key: string, seconds: number) => void;
  /** Makes a job of every recording that can become one: now, or as soon as it is uploaded. */
  start: (orderOf: (item: TrayItem) => JobOrder) => void;
  /** Those that wait for their upload will begin with this instead. */
  requeue: (orderOf: (item: TrayItem) => JobOrder) => void;
  unqueue: () => void;
  forgetJobErrors: () => void;
  /** The reader has been led on or has come anew. */
  forgetFinished: () => void;
  /** The session has run out: stops and shows nothing, but keeps what the owner needs to go on. */
  suspend: () => void;
  /** Ends everything at once. */
  clear: () => void;
}

export type Tray = StoreApi<TrayState>;

export const EMPTY_TRAY = { items: [], separate: false, started: [], finished: false } satisfies Partial<TrayState>;

/** A file whose upload has failed is only there to say so. */
export const isLive = (item: TrayItem): boolean =>
  item.kind !== "file" || (item.state.phase !== "failed" && item.state.phase !== "empty");

/** Whether there is something to say against it. A file that has just become a job is not live any more, but nothing has failed. */
export const hasFailed = (item: TrayItem): item is FileItem => item.kind === "file" && item.state.phase === "failed";

/** Whether its bytes are all at the server, or are none of ours. */
export const isReady = (item: TrayItem): boolean => item.kind !== "file" || item.state.phase === "ready";

/** Whether the reader would have to choose, send or say it again, from the moment a file was chosen. */
export const canComeBack = (item: TrayItem): boolean => item.kind === "voice" || (item.kind === "file" && isLive(item));

/** Seconds; null while nobody knows. */
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

/** What there is to choose from, by the server or, before that, by the browser; empty while nobody knows. */
export function tracksOf(item: FileItem, read: readonly MediaTrack[]): readonly MediaTrack[] {
  return item.state.upload?.media?.audio_tracks ?? read;
}
