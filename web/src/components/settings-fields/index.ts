/** The fields of a transcription's settings, for the upload page, for presets and for the defaults of new transcriptions. */
export type { Settings } from "./settings";
export { SettingsForm, type SettingsFormProps } from "./settings-form";
