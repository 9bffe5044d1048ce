/** The selectable languages: the two of the interface first, the others by name in the reader's alphabet. */
import type { TranscriptionType } from "@/api";
import { useLanguageName } from "@/hooks/use-language-name";
import { useLocale } from "@/hooks/use-locale";
import { offeredLanguages } from "@/rules";
import { LOCALES } from "@/rules/appearance";

interface Option {
  code: string;
  name: string;
}

const OFTEN: readonly string[] = LOCALES;

/** Those of a mode, in the reader's language. */
export function useLanguageOptions(mode: TranscriptionType): { often: Option[]; rest: Option[] } {
  return languageOptions(mode, useLanguageName(), useLocale());
}

export function languageOptions(
  mode: TranscriptionType,
  nameOf: (code: string) => string,
  locale: string,
): { often: Option[]; rest: Option[] } {
  const all = offeredLanguages(mode).map((code) => ({ code, name: nameOf(code) }));
  if (all.length <= OFTEN.length) {
    return { often: [], rest: all };
  }
  return {
    often: OFTEN.flatMap((code) => all.filter((option) => option.code === code)),
    rest: all.filter((option) => !OFTEN.includes(option.code)).sort((a, b) => a.name.localeCompare(b.name, locale)),
  };
}
