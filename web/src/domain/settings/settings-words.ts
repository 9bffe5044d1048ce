/** The settings of a transcription as text, for presets and jobs. */
import { useTranslation } from "react-i18next";
import type { TranscriptionSettings } from "@/api";
import { useLocale } from "@/hooks/use-locale";
import type { Locale } from "@/lib/i18n";
import { type Setting as SettingRow, translationList, vocabularyTerms, wantsSpeakers } from "@/rules";
import { TRANSLATE_TO_ENGLISH } from "@/rules/constants";
import { choiceRows } from "./table";

type SettingName = SettingRow["name"];

export interface Setting {
  label: string;
  /** Empty if it is off. */
  value: string;
}

/** All settings except the prompt, which is shown separately. */
export function useAllSettings(): (settings: TranscriptionSettings) => Setting[] {
  const { t } = useTranslation(["presets", "rules"]);
  const targets = useTargets();
  const requestedLanguage = useRequestedLanguage();
  const choices = useChoiceWords();
  return (settings) => {
    const on = (switched: boolean, value = t("sets.on")) => (switched ? value : "");
    const times = [
      on(settings.sentence_level_timestamps, t("sets.sentences")),
      on(settings.word_level_timestamps, t("sets.words")),
    ];
    const counts = settings.speakers.match(/\d+/g) ?? [];
    const count = counts.length > 0 ? t("sets.speakers", { counts: counts.join("–"), count: Number(counts.at(-1)) }) : "";
    const speakers = [settings.sentence_diarization ? t("sets.by_sentence") : "", count].filter(Boolean).join(", ");
    const labels = settings.classification_labels.join(", ") || t("sets.on");
    return [
      { label: choices.label("transcription_type"), value: choices.value("transcription_type", settings.transcription_type) },
      { label: t("sets.language"), value: requestedLanguage(settings) },
      { label: t("rules:feature.timestamps"), value: times.filter(Boolean).join(", ") },
      {
        label: t("rules:feature.diarization"),
        value: on(wantsSpeakers(settings), speakers || t("sets.on")),
      },
      { label: t("sets.channels"), value: on(settings.multichannel) },
      { label: t("sets.subtitles"), value: on(settings.srt) },
      { label: t("sets.as_file"), value: on(settings.return_as_file) },
      {
        label: t("rules:feature.summarization"),
        value: on(settings.summarize > 0, t("sets.summary", { count: settings.summarize })),
      },
      { label: t("rules:feature.sentiment"), value: on(settings.overall_sentiment_analysis) },
      { label: t("rules:feature.classification"), value: on(settings.overall_classification, labels) },
      { label: t("sets.english"), value: on(settings.translate === TRANSLATE_TO_ENGLISH) },
      { label: t("rules:feature.llm_translation"), value: targets(settings.llm_translation).join(", ") },
      { label: t("rules:feature.srt_translation"), value: targets(settings.srt_translation).join(", ") },
      { label: t("sets.vocabulary"), value: vocabularyTerms(settings.custom_vocabulary).join(", ") },
      // The first choice is the default.
      ...choiceRows().map(({ name, choices: [first] }) => {
        const chosen = String(settings[name]);
        return { label: choices.label(name), value: on(chosen !== first, choices.value(name, chosen)) };
      }),
    ];
  };
}

/** Texts of the settings with a fixed list of choices. */
export function useChoiceWords() {
  const { t } = useTranslation("rules");
  return {
    label: (name: SettingName) => t(`setting.${name as "transcription_type"}`),
    value: (name: SettingName, choice: string) => t(`${name as "transcription_type"}.${choice as "full"}`),
  };
}

/** A language without a translated name is shown by its code. */
export function useLanguageName(): (code: string) => string {
  const { t, i18n } = useTranslation(["presets", "languages"]);
  return (code) => {
    if (code === "auto") return t("sets.auto");
    return i18n.exists(`languages:${code}`) ? t(`languages:${code}` as "languages:uk") : code;
  };
}

/** The language; if it is detected, with those that may be spoken. */
function useRequestedLanguage(): (settings: TranscriptionSettings) => string {
  const { t } = useTranslation("presets");
  const languageName = useLanguageName();
  const namesOf = useLanguageNames();
  return ({ language_code, languages }) =>
    language_code === "auto" && languages.length > 0
      ? t("sets.auto_among", { languages: namesOf(languages) })
      : languageName(language_code);
}

/** Names of languages inside a sentence, separated by commas. */
export function useLanguageNames(): (codes: readonly string[]) => string {
  const languageName = useLanguageName();
  const locale = useLocale();
  const name = (code: string) => (locale === "uk" ? inSentence(languageName(code), locale) : languageName(code));
  return (codes) => codes.map(name).join(", ");
}

/** Names of the languages in a list of targets. */
export function useTargets(): (list: string) => string[] {
  const { t } = useTranslation("rules");
  const locale = useLocale();
  // Names of languages are lower case in Ukrainian, capitalised in English.
  const name = (label: string) => (locale === "uk" ? inSentence(label, locale) : label);
  return (list) => translationList(list).map((target) => name(t(`translation_target.${target}`)));
}

/** A label inside a sentence. Abbreviations are unchanged. */
export function inSentence(label: string, locale: Locale): string {
  return /^\p{Lu}\p{Ll}/u.test(label) ? label.slice(0, 1).toLocaleLowerCase(locale) + label.slice(1) : label;
}
