/** The fields of the edit dialog, by tab. */
import type { FilledForm } from "@/lib/preset-form";

export const TABS = ["basic", "transcription", "advanced"] as const;
export type Tab = (typeof TABS)[number];

/** Names as in the rules and in the translation keys of their labels. */
export const FIELDS = {
  basic: ["name", "description", "category", "transcription_type", "language_code", "is_public", "is_default"],
  transcription: ["diarization", "sentence_diarization", "word_level_timestamps", "srt", "summarize"],
  advanced: ["custom_vocabulary", "custom_prompt", "llm_translation", "srt_translation"],
} as const satisfies Record<Tab, readonly (keyof FilledForm | keyof FilledForm["settings"])[]>;

export type Field = (typeof FIELDS)[Tab][number];

/** The field's name from `settings.summarize` or `classification_labels.2`. */
export const fieldOf = (path: string): string => path.replace(/^settings\./, "").split(".")[0] ?? "";

/** Null for a setting that the dialog does not show. */
export function tabOf(path: string): Tab | null {
  const field = fieldOf(path);
  return TABS.find((tab) => (FIELDS[tab] as readonly string[]).includes(field)) ?? null;
}

export const isShown = (field: string): field is Field => tabOf(field) !== null;
