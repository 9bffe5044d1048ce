/** What the fields of a transcription's settings have in common. */
import type { TranscriptionSettings } from "@/api";

/** All settings: the rules fill in what is not said. */
export type Settings = Required<TranscriptionSettings>;

type NamesOf<Kind> = { [Name in keyof Settings]: Settings[Name] extends Kind ? Name : never }[keyof Settings];

/** The settings that are on or off. */
export type Switch = NamesOf<boolean>;

/** The two lists of languages to translate to. */
export type TranslationList = "llm_translation" | "srt_translation";
