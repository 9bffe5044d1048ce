/** The fields of a transcription's settings, for the upload page and for the defaults of new transcriptions. */
export { LanguageSelect } from "./language-select";
export { ModeCards } from "./mode-cards";
export type { Settings } from "./settings";
export { Timestamps } from "./timestamps";
export { useModeChoice } from "./use-mode-choice";
export { VocabularyField } from "./vocabulary-field";
