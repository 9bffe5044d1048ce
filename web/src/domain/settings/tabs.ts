/** Which tab a setting is on. */
import { defaultSettings, type SettingTab } from "@/rules";
import type { Settings } from "./settings";
import { rowOf, rowsOf } from "./table";

/** Null for settings that are on neither: the URL, the recording's duration. */
export const tabOf = (path: string): SettingTab | null => rowOf(path)?.tab ?? null;

/** Number of settings on the advanced tab that differ from the defaults. Labels count as part of classification. */
export function advancedCount(settings: Settings): number {
  const defaults = defaultSettings() as Settings;
  const counted = rowsOf("advanced").filter(({ name }) => name !== "classification_labels");
  return counted.filter(({ name }) => settings[name] !== defaults[name]).length;
}
