/** The texts of a preset in the reader's language. */
import type { Preset } from "@/api/presets";
import { useLocale } from "@/hooks/use-locale";
import type { Locale } from "@/lib/i18n";

type PresetName = Pick<Preset, "name" | "name_en">;
type PresetDescription = Pick<Preset, "description" | "description_en">;

/** English readers get the English name if there is one. */
export const nameOf = (preset: PresetName, locale: Locale): string => (locale === "en" && preset.name_en) || preset.name;

/** The names of presets in the reader's language. */
export function usePresetName(): (preset: PresetName) => string {
  const locale = useLocale();
  return (preset) => nameOf(preset, locale);
}

/** Empty if there is none. */
export const descriptionOf = (preset: PresetDescription, locale: Locale): string =>
  (locale === "en" && preset.description_en) || preset.description || "";

/** The preset with texts and settings in the reader's language; built-in presets have both languages. */
export function inReadersLanguage(preset: Preset, locale: Locale): Preset {
  const english = locale === "en" ? preset.settings_en : null;
  return {
    ...preset,
    name: nameOf(preset, locale),
    description: descriptionOf(preset, locale) || null,
    ...(english && {
      settings: english,
      transcription_type: english.transcription_type,
      language_code: english.language_code,
    }),
  };
}

/** Joins items by dots, without line breaks before a dot. The first letter is capitalised. */
export function joinWithDots(words: readonly string[], locale: Locale): string {
  return capital(words.join("\u00a0· "), locale);
}

const capital = (text: string, locale: Locale): string => text.slice(0, 1).toLocaleUpperCase(locale) + text.slice(1);
