/**
 * The preset that was selected on the page of presets; the upload page applies it once.
 *
 * Stored in local storage under `slovo.preset` as `{version, owner, preset}`: `owner` is the id of the account that selected
 * it, and it is not applied for other accounts; `preset` is in the format of the API. Entries of another version, and those
 * that the rules refuse, are ignored.
 */
import { lastUserId, type TranscriptionSettings } from "@/api";
import type { Preset } from "@/api/presets";
import { allPresetCategories, defaultSettings, validateOptions } from "@/rules";

/** The storage key. */
export const APPLIED_PRESET_KEY = "slovo.preset";
/** Incremented when the stored format changes. */
const VERSION = 1;

/**
 * Stores the preset for the next visit of the upload page, replacing an earlier one. Throws if storage is full or
 * forbidden.
 */
export function storeAppliedPreset(preset: Preset, owner = lastUserId()): void {
  localStorage.setItem(APPLIED_PRESET_KEY, JSON.stringify({ version: VERSION, owner, preset }));
}

/** Returns and removes the stored preset; null if there is none. Another user's preset is not removed. */
export function takeAppliedPreset(owner = lastUserId()): Preset | null {
  if (owner === null) return null;
  const stored = read(localStorage.getItem(APPLIED_PRESET_KEY));
  if (isRecord(stored) && isText(stored.owner) && stored.owner !== owner) return null;
  localStorage.removeItem(APPLIED_PRESET_KEY);
  return isRecord(stored) && stored.version === VERSION && stored.owner === owner ? presetOf(stored.preset) : null;
}

function read(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    // Invalid JSON counts as empty.
    return null;
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isText = (value: unknown): value is string => typeof value === "string";
const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value);
const isSwitch = (value: unknown): value is boolean => typeof value === "boolean";

/** The type of each field of a preset; other fields are dropped. */
const FIELDS: { [Field in keyof Preset]: (value: unknown) => boolean } = {
  id: isText,
  preset_id: isText,
  name: isText,
  name_en: isTextOrNull,
  description: isTextOrNull,
  description_en: isTextOrNull,
  category: (value) => allPresetCategories().some((category) => category === value),
  is_public: isSwitch,
  is_default: isSwitch,
  transcription_type: (value) => value === "full" || value === "lite",
  language_code: isText,
  settings: isRecord,
  // Older versions stored neither.
  settings_en: (value) => value === undefined || value === null || isRecord(value),
  quick_start: (value) => value === undefined || value === null || Number.isSafeInteger(value),
  usage_count: Number.isSafeInteger,
  is_system: isSwitch,
  is_own: isSwitch,
  created_at: isText,
  updated_at: isText,
};

function presetOf(stored: unknown): Preset | null {
  if (!isRecord(stored)) return null;
  const fields = Object.entries(FIELDS);
  if (!fields.every(([field, fits]) => fits(stored[field]))) return null;
  const preset = Object.fromEntries(fields.map(([field]) => [field, stored[field]])) as unknown as Preset;
  const settings = settingsOf(preset.settings);
  return settings && { ...preset, settings, settings_en: preset.settings_en && settingsOf(preset.settings_en) };
}

/** The known fields, if the rules allow them; without the URL, which is not part of a preset. */
function settingsOf(stored: object): TranscriptionSettings | null {
  const defaults = defaultSettings();
  const known = Object.fromEntries(Object.entries(stored).filter(([field]) => field in defaults && field !== "url"));
  const settings = { ...defaults, ...known };
  try {
    // The rules return all fields; only their input may be partial.
    return validateOptions(settings).length === 0 ? (settings as TranscriptionSettings) : null;
  } catch {
    // A field of a wrong type.
    return null;
  }
}
