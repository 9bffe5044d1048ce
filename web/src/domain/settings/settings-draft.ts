/**
 * What a reader has set for the next job, kept in local storage under the owner's id: a reload loses none of it, a preset
 * is made from it later, and another account at the same browser does not get it.
 */
import type { TranscriptionSettings } from "@/api";
import type { Preset } from "@/api/presets";
import { type Code, defaultSettings, validateOptions } from "@/rules";
import type { Settings } from ".";

/** What is remembered of a preset while it is in use, so that its name can be shown before the list is there. */
export type ChosenPreset = Pick<Preset, "id" | "name" | "name_en"> & { settings: Settings };

/** What the next job is to begin with, and how it came to be. */
export interface Choice {
  settings: Settings;
  /** The preset that the settings come from; they may have been changed since. */
  preset: ChosenPreset | null;
  /** The settings before the preset was chosen; those to go back to. */
  manual: Settings | null;
}

interface Draft {
  settings?: unknown;
  preset?: unknown;
  manual?: unknown;
  /** What the owner preferred then: who has changed their mind since begins anew. */
  preferred?: unknown;
  /** What was started with last. */
  last?: unknown;
}

const KEY = "slovo.settings";

/** The draft, else what the owner prefers for new jobs, else the defaults of the rules. */
export function readDraft(owner: string, preferred?: TranscriptionSettings): Settings {
  return readChoice(owner, preferred).settings;
}

/** The draft with the preset that it comes from. */
export function readChoice(owner: string, preferred?: TranscriptionSettings): Choice {
  const draft = readAll()[owner];
  const outdated = draft?.preferred !== undefined && preferred !== undefined && !same(draft.preferred, preferred);
  const choice = outdated ? null : allowedChoice(draft);
  // The rules write every field; only their input may leave some out.
  return choice ?? { settings: startingSettings(preferred), preset: null, manual: null };
}

/** What a new transcription begins with: what the owner prefers, as far as the rules allow it, else their defaults. */
export const startingSettings = (preferred?: TranscriptionSettings): Settings =>
  allowed(preferred) ?? (defaultSettings() as Settings);

/** What was started with last, to be had again; null where nothing was. */
export const readLast = (owner: string): Choice | null => allowedChoice(readAll()[owner]?.last);

export function keepLast(owner: string, { settings, preset }: Choice): void {
  write(owner, { last: { settings: withoutAddress(settings), preset, manual: null } });
}

/** Its jobs are made: the next transcription begins with what the owner prefers. */
export function endDraft(owner: string): void {
  write(owner, { settings: undefined, preset: undefined, manual: undefined, preferred: undefined });
}

/** Whether both ask for the same; an address belongs to one job and does not count. */
export function sameSettings(one: Settings, other: Settings): boolean {
  const names = Object.keys(defaultSettings()) as (keyof Settings)[];
  return names.every((name) => name === "url" || same(one[name], other[name]));
}

/** A choice that was kept somewhere, as far as the rules allow it; null where they do not. */
export function allowedChoice(kept: unknown): Choice | null {
  if (typeof kept !== "object" || kept === null) return null;
  const { settings, preset, manual } = kept as Record<keyof Choice, unknown>;
  const checked = allowed(settings);
  return checked && { settings: checked, preset: presetOf(preset), manual: allowed(manual) };
}

export function keepDraft(owner: string, settings: TranscriptionSettings, preferred?: TranscriptionSettings): void {
  write(owner, { settings: withoutAddress(settings), ...(preferred && { preferred }) });
}

export function keepChoice(owner: string, { settings, preset, manual }: Choice, preferred?: TranscriptionSettings): void {
  write(owner, {
    settings: withoutAddress(settings),
    preset,
    manual: manual && withoutAddress(manual),
    ...(preferred && { preferred }),
  });
}

/** Everybody's. */
export function forgetDrafts(): void {
  localStorage.removeItem(KEY);
}

/** What is on its way to be mended; it goes on where it was left. */
const KEPT_BROKEN: readonly Code[] = ["labels_required", "too_long", "too_many", "custom_prompt_too_long", "custom_prompt_blank"];

/**
 * What an older version wrote, or somebody has changed by hand, counts only as far as the rules allow it. What the reader
 * has typed and not yet mended is theirs: no word of it is lost.
 */
function allowed(kept: unknown): Settings | null {
  if (typeof kept !== "object" || kept === null) return null;
  const defaults = defaultSettings() as Settings;
  // The server refuses a field that it does not know, such as a later version may have written.
  const known = Object.fromEntries(Object.entries(kept).filter(([field]) => field in defaults));
  // No number is left of what was typed in place of one.
  if (!Number.isInteger(known.summarize)) delete known.summarize;
  const settings: Settings = { ...defaults, ...known };
  try {
    return validateOptions(settings).every(({ code }) => KEPT_BROKEN.includes(code)) ? settings : null;
  } catch {
    // A field of another type.
    return null;
  }
}

function presetOf(kept: unknown): ChosenPreset | null {
  if (typeof kept !== "object" || kept === null) return null;
  const { id, name, name_en, settings } = kept as Record<string, unknown>;
  const checked = allowed(settings);
  if (typeof id !== "string" || typeof name !== "string" || !checked) return null;
  return { id, name, name_en: typeof name_en === "string" ? name_en : null, settings: checked };
}

/** An address may carry a key to what it names; it belongs to one job and is not kept. */
const withoutAddress = (settings: TranscriptionSettings): TranscriptionSettings => ({ ...settings, url: "" });

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

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
