/** Presets in the wizard: apply, detect changes, revert. */
import type { Preset } from "@/api/presets";
import { inReadersLanguage } from "@/domain/presets/preset-words";
import type { Settings } from "@/domain/settings";
import type { Choice } from "@/domain/settings/settings-draft";
import type { Locale } from "@/lib/i18n";
import { defaultSettings, validateOptions, withAllowedLanguage } from "@/rules";

/** Number of quick-start presets that are shown as tiles. */
const TILES = 4;

/** The presets of the tiles, in their order; a deleted one is replaced by the next. */
export const quickStarts = (presets: readonly Preset[]): Preset[] =>
  presets
    .filter(({ quick_start }) => typeof quick_start === "number")
    .sort((a, b) => Number(a.quick_start) - Number(b.quick_start))
    .slice(0, TILES);

/** Whether the settings equal those that this preset applied. */
export const isInUse = (choice: Choice, { id }: Pick<Preset, "id">): boolean =>
  choice.preset?.id === id && !isPresetChanged(choice);

/**
 * Applies a preset's type and settings in the reader's language; null if they are invalid. Manual settings are
 * kept for reverting.
 */
export function withPreset(choice: Choice, preset: Preset, locale: Locale): Choice | null {
  const { transcription_type, language_code, settings: presetSettings } = inReadersLanguage(preset, locale);
  const given = { ...(defaultSettings() as Settings), ...presetSettings, transcription_type, language_code, url: "" };
  // A preset without languages keeps those of the account, the server or the user.
  const languages = given.languages.length > 0 ? given.languages : (choice.manual ?? choice.settings).languages;
  const requested = { ...given, languages };
  const settings = withAllowedLanguage(requested).settings as Settings;
  if (validateOptions(settings).length > 0) return null;
  return {
    settings,
    preset: { id: preset.id, name: preset.name, name_en: preset.name_en ?? null, settings },
    manual: choice.preset === null ? choice.settings : choice.manual,
  };
}

/** Restores the state before the first preset was applied. */
export function withoutPreset(choice: Choice): Choice {
  return { settings: choice.manual ?? choice.settings, preset: null, manual: null };
}

/** Restores the values that the preset applied. */
export function withPresetRestored(choice: Choice): Choice {
  return choice.preset ? { ...choice, settings: choice.preset.settings } : choice;
}

/** Whether a field of the preset was changed manually. */
export function isPresetChanged({ settings, preset }: Choice): boolean {
  if (!preset) return false;
  const names = Object.keys(settings) as (keyof Settings)[];
  return names.some((name) => JSON.stringify(settings[name]) !== JSON.stringify(preset.settings[name]));
}
