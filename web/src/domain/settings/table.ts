/** What the rules know of each setting: its kind, its tab, and what it needs. No list of settings is written here. */
import { defaultSettings, type Setting, type SettingTab, settingOf } from "@/rules";

let rows: readonly Setting[] | undefined;

/** All settings, in the order of the rules. */
export function settingRows(): readonly Setting[] {
  rows ??= Object.keys(defaultSettings()).flatMap((name) => settingOf(name) ?? []);
  return rows;
}

/** Of a field's path, such as `classification_labels.2`: its first step. */
export const fieldOf = (path: string): string => path.split(".")[0] ?? path;

/** The row of the setting that a field's path leads to. */
export const rowOf = (path: string): Setting | undefined => settingRows().find(({ name }) => name === fieldOf(path));

/** The settings of one tab. */
export const rowsOf = (on: SettingTab): readonly Setting[] => settingRows().filter(({ tab }) => tab === on);

/** The settings that are one of a few names; of one tab where that is said. The mode has cards of its own. */
export const choiceRows = (on?: SettingTab): readonly Setting[] =>
  (on ? rowsOf(on) : settingRows()).filter(({ kind, name }) => kind === "choice" && name !== "transcription_type");
