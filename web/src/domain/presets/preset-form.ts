/** Conversion of presets to form values, and the initial values of a new preset. */
import type { TranscriptionSettings } from "@/api";
import type { Preset } from "@/api/presets";
import type { Settings } from "@/domain/settings";
import { defaultSettings, type PresetForm } from "@/rules";
import { MAX_PRESET_NAME } from "@/rules/constants";

/** The form with all fields. */
export type FilledForm = Required<Omit<PresetForm, "settings">> & { settings: Settings };

/** All settings, with defaults for missing ones; without the URL, which is not part of a preset. */
export const settingsFor = (settings?: TranscriptionSettings): Settings => ({
  ...(defaultSettings() as Settings),
  ...settings,
  url: "",
});

export const formOf = ({ name, description, category, is_public, is_default, settings }: Preset): FilledForm => ({
  name,
  description: description ?? "",
  category,
  is_public,
  is_default,
  settings: settingsFor(settings),
});

/** A new preset is private; administrators can publish it. */
export const emptyForm = (settings: TranscriptionSettings): FilledForm => ({
  name: "",
  description: "",
  category: "other",
  is_public: false,
  is_default: false,
  settings: settingsFor(settings),
});

/** The name with the suffix for a copy; a long name is truncated. */
export function copyName(name: string, mark: string): string {
  const room = MAX_PRESET_NAME - [...mark].length - 1;
  return `${[...name].slice(0, room).join("").trimEnd()} ${mark}`;
}
