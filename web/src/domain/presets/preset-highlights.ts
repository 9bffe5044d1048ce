/** What a preset gives on a server: at once, as soon as there is a language model, or not at all. */
import type { TranscriptionSettings } from "@/api";
import type { Capabilities } from "@/api/capabilities";
import { wantsSpeakers } from "@/rules";
import { TRANSLATE_TO_ENGLISH } from "@/rules/constants";

/** One thing that a recording gets; named as its words are. */
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
  /** What comes at once. */
  now: One[];
  /** What waits for a language model; the text comes all the same. */
  later: One[];
  /** What this server has nothing for, and which does not wait either. */
  missing: One[];
}

/** While it is not known what the server does, nothing is said to be missing. */
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
  const made: typeof recognised = [
    ["summary", settings.summarize > 0, does?.summarization],
    ["sentiment", settings.overall_sentiment_analysis, does?.sentiment],
    ["classification", settings.overall_classification, does?.classification],
    ["prompt", settings.custom_prompt !== "", does?.insights],
    ["translation", settings.llm_translation !== "", does?.llm_translation],
    ["subtitle_translation", settings.srt_translation !== "", does?.srt_translation],
  ];
  const those = (gifts: typeof recognised, done: boolean) =>
    gifts.filter(([, wanted, there]) => wanted && (there !== false) === done).map(([gift]) => gift);
  return {
    now: [...those(recognised, true), ...those(made, true)],
    later: those(made, false),
    missing: those(recognised, false),
  };
}

/** What tells presets apart: every one gives the text, and most the times of its sentences. */
export const isDistinctive = (gift: PresetResult): boolean => gift !== "text" && gift !== "sentence_times";
