/** Warnings about the quality of a text that can be given before the start, by the rules of the server. */
import { useState } from "react";
import type { Notice } from "@/api";
import type { Capabilities } from "@/api/capabilities";
import { warningsBeforeStart } from "@/rules";
import type { Settings } from "./settings";

/** Before the server has told what serves the modes, nothing is known of the models. */
const UNKNOWN = { full: null, lite: null, larger: [] };

export interface QualityWarnings {
  warnings: readonly Notice[];
  /** Remembers the language that a mode is about to replace; an empty one if it keeps the language. */
  replaceLanguage: (language: string) => void;
  /** The language that was replaced by English; empty if none was. */
  replaced: string;
}

export function useQualityWarnings(settings: Settings, models: Capabilities["speech_models"] | undefined): QualityWarnings {
  const [replaced, replaceLanguage] = useState("");
  const { transcription_type, language_code, translate } = settings;
  const warnings = warningsBeforeStart(transcription_type, language_code, translate, replaced, models ?? UNKNOWN);
  return { warnings, replaceLanguage, replaced };
}
