/** The fields of a transcription's settings, for the upload page, for presets and for the defaults of new transcriptions. */
export { ChoiceSelect } from "./choice-field";
export { languageOptions } from "./language-options";
export type { Settings } from "./settings";
export { SettingsForm } from "./settings-form";
export { SpokenLanguages } from "./spoken-languages";
export { choiceRows, settingRows } from "./table";
export { useModeChoice } from "./use-mode-choice";
