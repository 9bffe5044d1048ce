/** Which presets are shown: search, category and mode, as the address holds them. */
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

/** What is not offered counts as none: the address can hold anything. */
export function parseFilter(params: URLSearchParams): PresetFilter {
  const q = params.get("q")?.trim();
  const category = allPresetCategories().find((one) => one === params.get("category"));
  const mode = TRANSCRIPTION_TYPES.find((one) => one === params.get("mode"));
  return { ...(q && { q }), ...(category && { category }), ...(mode && { mode }) };
}

export const isFiltered = (filter: PresetFilter): boolean => Object.keys(filter).length > 0;

/** A name is found in both languages: who writes of "minutes" in English may read the page in Ukrainian. */
export function matches(preset: Preset, { q, category, mode }: PresetFilter): boolean {
  return (
    (category === undefined || preset.category === category) &&
    (mode === undefined || preset.transcription_type === mode) &&
    (q === undefined || [preset.name, preset.name_en ?? ""].some((name) => asTyped(name).includes(asTyped(q))))
  );
}

/** The text as a keyboard gives it: one kind of apostrophe, of space and of letter case. */
function asTyped(text: string): string {
  return (
    text
      .normalize("NFC")
      .toLowerCase()
      // Typewriter's, typographic, modifier letter, primes, and the backtick that stands for one on a Ukrainian keyboard.
      .replace(/['’‘ʼʹ′`´＇]/gu, "’")
      .replace(/\s+/gu, " ")
      .trim()
  );
}
