/** Which settings stand on which tab. */
import { defaultSettings } from "@/rules";
import type { Settings } from "./settings";

export const TABS = ["basic", "advanced"] as const;
export type Tab = (typeof TABS)[number];

const BASIC: ReadonlySet<string> = new Set<keyof Settings>([
  "transcription_type",
  "language_code",
  "diarization",
  "sentence_diarization",
  "speakers",
  "sentence_level_timestamps",
  "word_level_timestamps",
  "srt",
  "custom_vocabulary",
]);

const ADVANCED: ReadonlySet<string> = new Set<keyof Settings>([
  "multichannel",
  "return_as_file",
  "translate",
  "summarize",
  "overall_sentiment_analysis",
  "overall_classification",
  "classification_labels",
  "custom_prompt",
  "llm_translation",
  "srt_translation",
]);

/** Of a field's path, such as `classification_labels.2`: its first step. */
export const fieldOf = (path: string): string => path.split(".")[0] ?? path;

/** Null for what stands on neither: the address, the length of the recording. */
export function tabOf(path: string): Tab | null {
  const field = fieldOf(path);
  if (BASIC.has(field)) return "basic";
  return ADVANCED.has(field) ? "advanced" : null;
}

/** How many settings of the advanced tab are not what they are by default. Labels belong to the classification. */
export function advancedCount(settings: Settings): number {
  const defaults = defaultSettings() as Settings;
  const counted = [...ADVANCED].filter((field) => field !== "classification_labels") as (keyof Settings)[];
  return counted.filter((field) => settings[field] !== defaults[field]).length;
}
