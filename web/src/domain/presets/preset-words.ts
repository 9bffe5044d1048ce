/** A preset's own words in the reader's language. */
import type { Preset } from "@/api/presets";
import type { Locale } from "@/lib/i18n";

type Named = Pick<Preset, "name" | "name_en">;
type Described = Pick<Preset, "description" | "description_en">;

/** English readers see the English name where there is one. */
export const nameOf = (preset: Named, locale: Locale): string => (locale === "en" && preset.name_en) || preset.name;

/** Empty where there is none. */
export const descriptionOf = (preset: Described, locale: Locale): string =>
  (locale === "en" && preset.description_en) || preset.description || "";

/** With the words and the settings for this reader: a preset that comes with the program has both languages. */
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

/** Words of a line, parted by dots; a dot ends a line and never begins one. The first letter of the line is a capital. */
export function inLine(words: readonly string[], locale: Locale): string {
  return capital(words.join("\u00a0· "), locale);
}

const capital = (text: string, locale: Locale): string => text.slice(0, 1).toLocaleUpperCase(locale) + text.slice(1);
