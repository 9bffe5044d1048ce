/** What the fields of a transcription's settings have in common. */
import type { TranscriptionSettings } from "@/api";

/** All settings: the rules fill in what is not said. */
export type Settings = Required<TranscriptionSettings>;

export interface FieldProps {
  settings: Settings;
  error?: string | undefined;
  onChange: (change: Partial<Settings>) => void;
}
