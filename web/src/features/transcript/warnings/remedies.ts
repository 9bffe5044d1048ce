/** What helps against the warnings of a completed job. */
import type { Notice, TranscriptionSettings } from "@/api";
import type { Settings } from "@/domain/settings";
import { withEnglish } from "@/domain/settings/with-english";

/** Runs the recording again with other settings, which the reader sees first. */
export interface Remedy {
  /** Key of its label in the texts. */
  label: "againInFull" | "chooseLanguage" | "translateTextAfter";
  /** Settings that differ from those of the job. */
  settings: Partial<Settings>;
}

/** The remedies for these warnings, each once. `canTranslate`: the text can be translated by a language model. */
export function remediesFor(
  warnings: readonly Notice[],
  settings: TranscriptionSettings,
  canTranslate: boolean,
): readonly Remedy[] {
  const has = (code: string) => warnings.some((warning) => warning.code === code);
  const remedies: Remedy[] = [];
  if (has("lite_not_english")) {
    remedies.push({ label: "againInFull", settings: { transcription_type: "full", language_code: "auto" } });
  } else if (has("much_unrecognised") || has("language_uncertain")) {
    remedies.push({ label: "chooseLanguage", settings: {} });
  }
  if (has("translation_unsuitable") && canTranslate) {
    const llm_translation = withEnglish(settings.llm_translation ?? "");
    remedies.push({ label: "translateTextAfter", settings: { translate: "", llm_translation } });
  }
  return remedies;
}

/** The models that would do better, each once. */
export function betterModels(warnings: readonly Notice[]): readonly string[] {
  const named = warnings.map(({ params }) => params.better).filter((better) => typeof better === "string");
  return [...new Set(named)];
}
