/** The settings as they stand, kept in local storage: a reload loses none of them, and a preset is made from them later. */
import type { TranscriptionSettings } from "@/api";
import { defaultSettings, validateOptions } from "@/rules";

/** All settings: the rules fill in what is not said. */
export type Settings = Required<TranscriptionSettings>;

const KEY = "slovo.settings";

export function readDraft(): Settings {
  // The rules write every field; only their input may leave some out.
  const defaults = defaultSettings() as Settings;
  try {
    const draft: unknown = JSON.parse(localStorage.getItem(KEY) ?? "null");
    if (typeof draft === "object" && draft !== null) {
      // The server refuses a field that it does not know, such as a later version may have written.
      const known = Object.fromEntries(Object.entries(draft).filter(([field]) => field in defaults));
      const settings: Settings = { ...defaults, ...known };
      // What an older version wrote, or somebody has changed by hand, counts only as far as the rules allow it.
      return validateOptions(settings).length === 0 ? settings : defaults;
    }
  } catch {
    // Not JSON: the same as nothing.
  }
  return defaults;
}

export function keepDraft(settings: TranscriptionSettings): void {
  localStorage.setItem(KEY, JSON.stringify(settings));
}

export function forgetDraft(): void {
  localStorage.removeItem(KEY);
}
