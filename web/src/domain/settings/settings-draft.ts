/**
 * The settings for the next job, stored in local storage under the owner's id: they survive a reload, can be saved as a
 * preset later, and are not used for another account in the same browser.
 */
import type { TranscriptionSettings } from "@/api";
import type { Capabilities } from "@/api/capabilities";
import type { Preset } from "@/api/presets";
import { type Code, defaultSettings, validateOptions } from "@/rules";
import type { Settings } from ".";

/** The stored part of the selected preset, so that its name can be shown before presets are loaded. */
export type ChosenPreset = Pick<Preset, "id" | "name" | "name_en"> & { settings: Settings };

/** The settings for the next job, and their origin. */
export interface Choice {
  settings: Settings;
  /** The preset from which the settings come; they may have been changed since. */
  preset: ChosenPreset | null;
  /** The settings before the preset was selected, for reverting. */
  manual: Settings | null;
}

interface Draft {
  settings?: unknown;
  preset?: unknown;
  manual?: unknown;
  /** The owner's preferences at that time; if they have changed, the draft is discarded. */
  preferred?: unknown;
  /** The last used settings. */
  last?: unknown;
}

const KEY = "slovo.settings";

/** The draft, else the owner's preferences, else the defaults of the rules. */
export function readDraft(owner: string, preferred?: TranscriptionSettings): Settings {
  return readChoice(owner, preferred).settings;
}

/** The draft with the preset that it comes from. */
export function readChoice(owner: string, preferred?: TranscriptionSettings): Choice {
  const draft = readAll()[owner];
  const outdated =
    draft?.preferred !== undefined &&
    preferred !== undefined &&
    !same(withoutLanguages(draft.preferred), withoutLanguages(preferred));
  const choice = outdated ? null : allowedChoice(draft);
  // The rules return all fields; only their input may be partial.
  return choice ?? { settings: startingSettings(preferred), preset: null, manual: null };
}

/** The server's languages may be missing while it does not answer, or change: that is no reason to discard a draft. */
const withoutLanguages = (preferred: unknown): object => ({ ...(preferred as object), languages: [] });

/** The initial settings of a new transcription: the owner's preferences if the rules allow them, else the defaults. */
export const startingSettings = (preferred?: TranscriptionSettings): Settings =>
  allowed(preferred) ?? (defaultSettings() as Settings);

/** The owner's preferences; if they have no languages that may be spoken, with those of the server. */
export function withDefaultLanguages(
  preferred: TranscriptionSettings | undefined,
  capabilities: Pick<Capabilities, "languages"> | undefined,
): TranscriptionSettings | undefined {
  const ofServer = capabilities?.languages ?? [];
  return preferred && preferred.languages.length === 0 && ofServer.length > 0 ? { ...preferred, languages: ofServer } : preferred;
}

/** The last used settings; null if there are none. */
export const readLast = (owner: string): Choice | null => allowedChoice(readAll()[owner]?.last);

export function storeLast(owner: string, { settings, preset }: Choice): void {
  write(owner, { last: { settings: withoutAddress(settings), preset, manual: null } });
}

/** Discards the draft after its jobs were created: the next transcription starts with the preferences. */
export function endDraft(owner: string): void {
  write(owner, { settings: undefined, preset: undefined, manual: undefined, preferred: undefined });
}

/** Whether both are equal; the URL is ignored because it belongs to one job. */
export function sameSettings(one: Settings, other: Settings): boolean {
  const names = Object.keys(defaultSettings()) as (keyof Settings)[];
  return names.every((name) => name === "url" || same(one[name], other[name]));
}

/** Validates a stored choice; null if the rules do not allow it. */
export function allowedChoice(stored: unknown): Choice | null {
  if (typeof stored !== "object" || stored === null) return null;
  const { settings, preset, manual } = stored as Record<keyof Choice, unknown>;
  const checked = allowed(settings);
  return checked && { settings: checked, preset: presetOf(preset), manual: allowed(manual) };
}

export function storeDraft(owner: string, settings: TranscriptionSettings, preferred?: TranscriptionSettings): void {
  write(owner, { settings: withoutAddress(settings), ...(preferred && { preferred }) });
}

export function storeChoice(owner: string, { settings, preset, manual }: Choice, preferred?: TranscriptionSettings): void {
  write(owner, {
    settings: withoutAddress(settings),
    preset,
    manual: manual && withoutAddress(manual),
    ...(preferred && { preferred }),
  });
}

/** Deletes the drafts of all users. */
export function forgetDrafts(): void {
  localStorage.removeItem(KEY);
}

/** Violations of incomplete input, which is restored nevertheless. */
const RESTORED_VIOLATIONS: readonly Code[] = [
  "labels_required",
  "too_long",
  "too_many",
  "custom_prompt_too_long",
  "custom_prompt_blank",
];

/**
 * Validates stored settings, which may come from an older version or have been edited. Input that the reader has not
 * completed or corrected yet is kept.
 */
function allowed(stored: unknown): Settings | null {
  if (typeof stored !== "object" || stored === null) return null;
  const defaults = defaultSettings() as Settings;
  // The server refuses unknown fields, which a later version may have stored.
  const known = Object.fromEntries(Object.entries(stored).filter(([field]) => field in defaults));
  // An invalid number is dropped.
  if (!Number.isInteger(known.summarize)) delete known.summarize;
  const settings: Settings = { ...defaults, ...known };
  try {
    return validateOptions(settings).every(({ code }) => RESTORED_VIOLATIONS.includes(code)) ? settings : null;
  } catch {
    // A field of another type.
    return null;
  }
}

function presetOf(stored: unknown): ChosenPreset | null {
  if (typeof stored !== "object" || stored === null) return null;
  const { id, name, name_en, settings } = stored as Record<string, unknown>;
  const checked = allowed(settings);
  if (typeof id !== "string" || typeof name !== "string" || !checked) return null;
  return { id, name, name_en: typeof name_en === "string" ? name_en : null, settings: checked };
}

/** The URL is not stored: it belongs to one job, and may contain a secret. */
const withoutAddress = (settings: TranscriptionSettings): TranscriptionSettings => ({ ...settings, url: "" });

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

function write(owner: string, change: Draft): void {
  const drafts = readAll();
  localStorage.setItem(KEY, JSON.stringify({ ...drafts, [owner]: { ...drafts[owner], ...change } }));
}

function readAll(): Record<string, Draft | undefined> {
  try {
    const drafts: unknown = JSON.parse(localStorage.getItem(KEY) ?? "null");
    // An older version stored one draft without its owner; it is ignored.
    return typeof drafts === "object" && drafts !== null ? (drafts as Record<string, Draft | undefined>) : {};
  } catch {
    // Invalid JSON counts as empty.
    return {};
  }
}
