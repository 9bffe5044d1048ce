/** Which settings stand on which tab. */
import { defaultSettings } from "@/rules";
import type { Settings } from "./settings";

export const TABS = ["basic", "advanced"] as const;
export type Tab = (typeof TABS)[number];

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

export const tabOf = (path: string): Tab => (ADVANCED.has(fieldOf(path)) ? "advanced" : "basic");

/** How many settings of the advanced tab are not what they are by default. Labels belong to the classification. */
export function advancedCount(settings: Settings): number {
  const defaults = defaultSettings() as Settings;
  const counted = [...ADVANCED].filter((field) => field !== "classification_labels") as (keyof Settings)[];
  return counted.filter((field) => settings[field] !== defaults[field]).length;
}
