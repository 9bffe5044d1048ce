/** What a preset gives on this server, in words. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { TranscriptionSettings } from "@/api";
import { capabilitiesQuery } from "@/api/capabilities";
import { TRANSLATE_TO_ENGLISH, useTargets } from "@/components/settings-words";

export interface Gives {
  /** What comes besides the text. */
  now: string[];
  /** What waits until something on this server does it. */
  later: string[];
}

/** The few words of a card: what it does besides turning speech into text, and what of it this server cannot do yet. */
export function useGives(): (settings: TranscriptionSettings) => Gives {
  const { t } = useTranslation("presets");
  const targets = useTargets();
  const { data: capabilities } = useQuery(capabilitiesQuery());
  // While it is not known what the server does, nothing is said to be missing.
  const does = capabilities?.features;
  return (settings) => {
    const text = targets(settings.llm_translation);
    const subtitles = targets(settings.srt_translation);
    const words: [wanted: boolean, word: string, there?: boolean | undefined][] = [
      [settings.diarization, t("gives.speakers"), does?.diarization],
      [settings.multichannel, t("gives.channels"), capabilities?.multichannel],
      [settings.word_level_timestamps, t("gives.word_times")],
      [settings.srt, t("gives.subtitles")],
      [settings.summarize > 0, t("gives.summary", { count: settings.summarize }), does?.summarization],
      [settings.overall_sentiment_analysis, t("gives.sentiment"), does?.sentiment],
      [settings.overall_classification, t("gives.classification"), does?.classification],
      [settings.translate === TRANSLATE_TO_ENGLISH, t("gives.english"), capabilities?.translate],
      [text.length > 0, t("gives.translation", { languages: text.join(", ") }), does?.llm_translation],
      [subtitles.length > 0, t("gives.subtitle_translation", { languages: subtitles.join(", ") }), does?.srt_translation],
      [settings.custom_vocabulary !== "", t("gives.vocabulary"), capabilities?.vocabulary],
      [settings.custom_prompt !== "", t("gives.prompt"), does?.insights],
    ];
    const wanted = words.filter(([is]) => is);
    return {
      now: wanted.filter(([, , there]) => there !== false).map(([, word]) => word),
      later: wanted.filter(([, , there]) => there === false).map(([, word]) => word),
    };
  };
}
