/** What a preset sets, in words. */
import { useTranslation } from "react-i18next";
import type { TranscriptionSettings } from "@/api";
import { TRANSLATE_TO_ENGLISH, useTargets } from "@/components/settings-words";

/** The few words of a card: what it does besides turning speech into text. */
export function useGives(): (settings: TranscriptionSettings) => string[] {
  const { t } = useTranslation("presets");
  const targets = useTargets();
  return (settings) => {
    const text = targets(settings.llm_translation);
    const subtitles = targets(settings.srt_translation);
    const words = [
      settings.diarization && t("gives.speakers"),
      settings.multichannel && t("gives.channels"),
      settings.word_level_timestamps && t("gives.word_times"),
      settings.srt && t("gives.subtitles"),
      settings.summarize > 0 && t("gives.summary", { count: settings.summarize }),
      settings.overall_sentiment_analysis && t("gives.sentiment"),
      settings.overall_classification && t("gives.classification"),
      settings.translate === TRANSLATE_TO_ENGLISH && t("gives.english"),
      text.length > 0 && t("gives.translation", { languages: text.join(", ") }),
      subtitles.length > 0 && t("gives.subtitle_translation", { languages: subtitles.join(", ") }),
      settings.custom_vocabulary && t("gives.vocabulary"),
      settings.custom_prompt && t("gives.prompt"),
    ];
    return words.filter((word) => typeof word === "string" && word !== "") as string[];
  };
}
