/** What a preset sets, in words. */
import { useTranslation } from "react-i18next";
import type { TranscriptionSettings } from "@/api";
import { TRANSLATE_TO_ENGLISH } from "./settings-of";
import { translationList, vocabularyTerms } from "@/rules";

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

export interface Setting {
  label: string;
  /** Empty where it is switched off. */
  value: string;
}

/** Every setting but the prompt, which is read on its own. */
export function useAllSettings(): (settings: TranscriptionSettings) => Setting[] {
  const { t } = useTranslation(["presets", "rules"]);
  const targets = useTargets();
  const languageName = useLanguageName();
  return (settings) => {
    const on = (switched: boolean, value = t("sets.on")) => (switched ? value : "");
    const times = [
      on(settings.sentence_level_timestamps, t("sets.sentences")),
      on(settings.word_level_timestamps, t("sets.words")),
    ];
    const speakers = settings.sentence_diarization ? t("sets.by_sentence") : t("sets.on");
    const labels = settings.classification_labels.join(", ") || t("sets.on");
    return [
      { label: t("sets.mode"), value: t(`rules:transcription_type.${settings.transcription_type}`) },
      { label: t("sets.language"), value: languageName(settings.language_code) },
      { label: t("rules:feature.timestamps"), value: times.filter(Boolean).join(", ") },
      { label: t("rules:feature.diarization"), value: on(settings.diarization, speakers) },
      { label: t("sets.channels"), value: on(settings.multichannel) },
      { label: t("sets.subtitles"), value: on(settings.srt) },
      { label: t("sets.as_file"), value: on(settings.return_as_file) },
      { label: t("rules:feature.summarization"), value: on(settings.summarize > 0, t("sets.summary", { count: settings.summarize })) },
      { label: t("rules:feature.sentiment"), value: on(settings.overall_sentiment_analysis) },
      { label: t("rules:feature.classification"), value: on(settings.overall_classification, labels) },
      { label: t("sets.english"), value: on(settings.translate === TRANSLATE_TO_ENGLISH) },
      { label: t("rules:feature.llm_translation"), value: targets(settings.llm_translation).join(", ") },
      { label: t("rules:feature.srt_translation"), value: targets(settings.srt_translation).join(", ") },
      { label: t("sets.vocabulary"), value: vocabularyTerms(settings.custom_vocabulary).join(", ") },
    ];
  };
}

/** A language that this page has no name for is shown by its code. */
export function useLanguageName(): (code: string) => string {
  const { t, i18n } = useTranslation(["presets", "languages"]);
  return (code) => {
    if (code === "auto") return t("sets.auto");
    return i18n.exists(`languages:${code}`) ? t(`languages:${code}` as "languages:uk") : code;
  };
}

function useTargets(): (list: string) => string[] {
  const { t } = useTranslation("rules");
  return (list) => translationList(list).map((target) => t(`translation_target.${target}`));
}
