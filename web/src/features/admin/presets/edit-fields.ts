/** The fields of the edit dialog, by tab. */

import type { FilledForm } from "@/domain/presets/preset-form";
import { choiceRows } from "@/domain/settings";
import type { Setting } from "@/rules";

export const TABS = ["basic", "transcription", "advanced"] as const;
export type Tab = (typeof TABS)[number];

/** Fields with their own control and texts; names of the rules and keys of the labels. */
const OWN = {
  basic: ["name", "description", "category", "transcription_type", "language_code", "languages", "is_public", "is_default"],
  transcription: ["diarization", "sentence_diarization", "word_level_timestamps", "srt", "summarize"],
  advanced: ["custom_vocabulary", "custom_prompt", "llm_translation", "srt_translation"],
} as const satisfies Record<Tab, readonly (keyof FilledForm | keyof FilledForm["settings"])[]>;

export type OwnField = (typeof OWN)[Tab][number];

const ownTabOf = (field: string): Tab | undefined => TABS.find((tab) => (OWN[tab] as readonly string[]).includes(field));

export const isOwn = (field: string): field is OwnField => ownTabOf(field) !== undefined;

/** The other settings of a tab with a fixed list of choices, from the rules' table, which includes new settings. */
export const choicesOn = (tab: Tab): readonly Setting[] =>
  tab === "transcription" ? [] : choiceRows(tab).filter(({ name }) => !isOwn(name));

/** The setting of this name among them. */
export const choiceOf = (field: string): Setting | undefined => TABS.flatMap(choicesOn).find(({ name }) => name === field);

/** The field's name in a path such as `settings.summarize` or `classification_labels.2`. */
export const fieldOf = (path: string): string => path.replace(/^settings\./, "").split(".")[0] ?? "";

/** Null for settings that the dialog does not show. */
export function tabOf(path: string): Tab | null {
  const field = fieldOf(path);
  return ownTabOf(field) ?? choiceOf(field)?.tab ?? null;
}
