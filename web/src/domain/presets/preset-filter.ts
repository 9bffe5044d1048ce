/** The filter of presets: search, category and mode, from the URL. */
import type { TranscriptionType } from "@/api";
import type { Preset } from "@/api/presets";
import { allPresetCategories, type PresetCategory } from "@/rules";
import { TRANSCRIPTION_TYPES } from "@/rules/constants";

export interface PresetFilter {
  /** Part of the name. */
  q?: string;
  category?: PresetCategory;
  mode?: TranscriptionType;
}

/** Unknown values are ignored: the URL can contain anything. */
export function parseFilter(params: URLSearchParams): PresetFilter {
  const q = params.get("q")?.trim();
  const category = allPresetCategories().find((known) => known === params.get("category"));
  const mode = TRANSCRIPTION_TYPES.find((type) => type === params.get("mode"));
  return { ...(q && { q }), ...(category && { category }), ...(mode && { mode }) };
}

export const isFiltered = (filter: PresetFilter): boolean => Object.keys(filter).length > 0;

/** Both names are searched, because readers may search in the other language. */
export function matches(preset: Preset, { q, category, mode }: PresetFilter): boolean {
  return (
    (category === undefined || preset.category === category) &&
    (mode === undefined || preset.transcription_type === mode) &&
    (q === undefined || [preset.name, preset.name_en ?? ""].some((name) => normalized(name).includes(normalized(q))))
  );
}

/** The text with uniform apostrophes, spaces and letter case. */
function normalized(text: string): string {
  return (
    text
      .normalize("NFC")
      .toLowerCase()
      // Straight and typographic apostrophes, modifier letters, primes, and the backtick, used with Ukrainian keyboards.
      .replace(/['’‘ʼʹ′`´＇]/gu, "’")
      .replace(/\s+/gu, " ")
      .trim()
  );
}
