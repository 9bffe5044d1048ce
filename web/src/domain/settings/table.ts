/** The rules' table of settings: kind, tab and requirements of each. Settings are not listed here again. */
import { defaultSettings, type Setting, type SettingTab, settingOf } from "@/rules";

let rows: readonly Setting[] | undefined;

/** All settings, in the order of the rules. */
export function settingRows(): readonly Setting[] {
  rows ??= Object.keys(defaultSettings()).flatMap((name) => settingOf(name) ?? []);
  return rows;
}

/** The setting's name from a path such as `classification_labels.2`. */
export const fieldOf = (path: string): string => path.split(".")[0] ?? path;

/** The table's row for a path. */
export const rowOf = (path: string): Setting | undefined => settingRows().find(({ name }) => name === fieldOf(path));

/** The settings of one tab. */
export const rowsOf = (on: SettingTab): readonly Setting[] => settingRows().filter(({ tab }) => tab === on);

/** The settings with a fixed list of choices, optionally of one tab. Without the mode, which has its own cards. */
export const choiceRows = (on?: SettingTab): readonly Setting[] =>
  (on ? rowsOf(on) : settingRows()).filter(({ kind, name }) => kind === "choice" && name !== "transcription_type");
