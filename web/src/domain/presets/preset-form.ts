/** A preset as its form, and the settings that a new one begins with. */
import type { TranscriptionSettings } from "@/api";
import type { Preset } from "@/api/presets";
import type { Settings } from "@/domain/settings";
import { defaultSettings, type PresetForm } from "@/rules";
import { MAX_PRESET_NAME } from "@/rules/constants";

/** Every field has its value. */
export type FilledForm = Required<Omit<PresetForm, "settings">> & { settings: Settings };

/** The rules write every field; only their input may leave some out. Where a recording is, a preset does not say. */
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

/** A new one is its maker's alone, until an administrator says otherwise. */
export const emptyForm = (settings: TranscriptionSettings): FilledForm => ({
  name: "",
  description: "",
  category: "other",
  is_public: false,
  is_default: false,
  settings: settingsFor(settings),
});

/** The name with the mark of a copy; a long name gives way to it. */
export function copyName(name: string, mark: string): string {
  const room = MAX_PRESET_NAME - [...mark].length - 1;
  return `${[...name].slice(0, room).join("").trimEnd()} ${mark}`;
}
