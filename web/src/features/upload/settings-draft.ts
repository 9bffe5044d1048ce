/**
 * What a reader has set for the next job, kept in local storage under the owner's id: a reload loses none of it, a preset
 * is made from it later, and another account at the same browser does not get it.
 */
import type { TranscriptionSettings } from "@/api";
import { defaultSettings, validateOptions } from "@/rules";

/** All settings: the rules fill in what is not said. */
export type Settings = Required<TranscriptionSettings>;

interface Draft {
  settings?: unknown;
  /** The job is to begin as soon as the upload is there. */
  queued?: boolean;
}

const KEY = "slovo.settings";

export function readDraft(owner: string): Settings {
  // The rules write every field; only their input may leave some out.
  const defaults = defaultSettings() as Settings;
  const draft = readAll()[owner]?.settings;
  if (typeof draft === "object" && draft !== null) {
    // The server refuses a field that it does not know, such as a later version may have written.
    const known = Object.fromEntries(Object.entries(draft).filter(([field]) => field in defaults));
    const settings: Settings = { ...defaults, ...known };
    // What an older version wrote, or somebody has changed by hand, counts only as far as the rules allow it.
    return validateOptions(settings).length === 0 ? settings : defaults;
  }
  return defaults;
}

export function keepDraft(owner: string, settings: TranscriptionSettings): void {
  write(owner, { settings });
}

/** Whether the owner's upload is to become a job by itself. */
export function readQueued(owner: string): boolean {
  return readAll()[owner]?.queued === true;
}

export function keepQueued(owner: string, queued: boolean): void {
  if (queued !== readQueued(owner)) {
    write(owner, { queued });
  }
}

/** Everybody's. */
export function forgetDrafts(): void {
  localStorage.removeItem(KEY);
}

function write(owner: string, change: Draft): void {
  const drafts = readAll();
  localStorage.setItem(KEY, JSON.stringify({ ...drafts, [owner]: { ...drafts[owner], ...change } }));
}

function readAll(): Record<string, Draft | undefined> {
  try {
    const drafts: unknown = JSON.parse(localStorage.getItem(KEY) ?? "null");
    // An older version kept one draft here without its owner; it is nobody's.
    return typeof drafts === "object" && drafts !== null ? (drafts as Record<string, Draft | undefined>) : {};
  } catch {
    // Not JSON: the same as nothing.
    return {};
  }
}
