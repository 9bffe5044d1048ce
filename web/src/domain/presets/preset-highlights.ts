/** The results of a preset on a server: available now, as soon as there is a language model, or not at all. */
import type { TranscriptionSettings } from "@/api";
import type { Capabilities } from "@/api/capabilities";
import { wantsSpeakers } from "@/rules";
import { TRANSLATE_TO_ENGLISH } from "@/rules/constants";

/** A result for a recording; also the key of its text. */
export type PresetResult =
  | "text"
  | "sentence_times"
  | "word_times"
  | "speakers"
  | "channels"
  | "english"
  | "vocabulary"
  | "subtitles"
  | "file"
  | "summary"
  | "sentiment"
  | "classification"
  | "prompt"
  | "translation"
  | "subtitle_translation";

export interface PresetResults<One> {
  /** Results that are available now. */
  now: One[];
  /** Results that need a language model; the text is created without it. */
  later: One[];
  /** Results that this server does not support. */
  missing: One[];
}

/** While the server's features are unknown, no result counts as missing. */
export function resultsOf(settings: TranscriptionSettings, capabilities: Capabilities | undefined): PresetResults<PresetResult> {
  const does = capabilities?.features;
  const recognised: [gift: PresetResult, wanted: boolean, there?: boolean | undefined][] = [
    ["text", true],
    ["speakers", wantsSpeakers(settings), does?.diarization],
    ["channels", settings.multichannel, capabilities?.multichannel],
    ["sentence_times", settings.sentence_level_timestamps],
    ["word_times", settings.word_level_timestamps],
    ["subtitles", settings.srt],
    ["file", settings.return_as_file],
    ["english", settings.translate === TRANSLATE_TO_ENGLISH, capabilities?.translate],
    ["vocabulary", settings.custom_vocabulary !== "", capabilities?.vocabulary],
  ];
  const generated: typeof recognised = [
    ["summary", settings.summarize > 0, does?.summarization],
    ["sentiment", settings.overall_sentiment_analysis, does?.sentiment],
    ["classification", settings.overall_classification, does?.classification],
    ["prompt", settings.custom_prompt !== "", does?.insights],
    ["translation", settings.llm_translation !== "", does?.llm_translation],
    ["subtitle_translation", settings.srt_translation !== "", does?.srt_translation],
  ];
  const those = (gifts: typeof recognised, isAvailable: boolean) =>
    gifts.filter(([, requested, available]) => requested && (available !== false) === isAvailable).map(([gift]) => gift);
  return {
    now: [...those(recognised, true), ...those(generated, true)],
    later: those(generated, false),
    missing: those(recognised, false),
  };
}

/** Whether it distinguishes presets: all create the text, and most include sentence times. */
export const isDistinctive = (gift: PresetResult): boolean => gift !== "text" && gift !== "sentence_times";
