/** What the fields of a transcription's settings have in common. */
import type { TranscriptionSettings } from "@/api";

/** All settings; missing ones are filled in by the rules. */
export type Settings = Required<TranscriptionSettings>;

type NamesOf<Kind> = { [Name in keyof Settings]: Settings[Name] extends Kind ? Name : never }[keyof Settings];

/** Boolean settings. */
export type Switch = NamesOf<boolean>;

/** The two lists of target languages. */
export type TranslationList = "llm_translation" | "srt_translation";
