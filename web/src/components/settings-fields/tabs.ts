/** Which settings stand on which tab. */
import { defaultSettings } from "@/rules";
import type { SETTING_TABS } from "@/rules/constants";
import type { Settings } from "./settings";
import { rowOf, rowsOf } from "./table";

export type Tab = (typeof SETTING_TABS)[number];

/** Null for what stands on neither: the address, the length of the recording. */
export const tabOf = (path: string): Tab | null => rowOf(path)?.tab ?? null;

/** How many settings of the advanced tab are not what they are by default. Labels belong to the classification. */
export function advancedCount(settings: Settings): number {
  const defaults = defaultSettings() as Settings;
  const counted = rowsOf("advanced").filter(({ name }) => name !== "classification_labels");
  return counted.filter(({ name }) => settings[name] !== defaults[name]).length;
}
