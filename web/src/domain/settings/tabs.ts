/** Which settings stand on which tab. */
import { defaultSettings, type SettingTab } from "@/rules";
import type { Settings } from "./settings";
import { rowOf, rowsOf } from "./table";

/** Null for what stands on neither: the address, the length of the recording. */
export const tabOf = (path: string): SettingTab | null => rowOf(path)?.tab ?? null;

/** How many settings of the advanced tab are not what they are by default. Labels belong to the classification. */
export function advancedCount(settings: Settings): number {
  const defaults = defaultSettings() as Settings;
  const counted = rowsOf("advanced").filter(({ name }) => name !== "classification_labels");
  return counted.filter(({ name }) => settings[name] !== defaults[name]).length;
}
