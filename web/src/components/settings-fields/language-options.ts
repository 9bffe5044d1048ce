/** The languages to choose from: the two of the interface first, the rest by their name in the reader's alphabet. */
import type { TranscriptionType } from "@/api";
import { offeredLanguages } from "@/rules";
import { LOCALES } from "@/rules/looks";

interface Option {
  code: string;
  name: string;
}

export function languageOptions(
  mode: TranscriptionType,
  nameOf: (code: string) => string,
  locale: string,
): { often: Option[]; rest: Option[] } {
  const all = offeredLanguages(mode).map((code) => ({ code, name: nameOf(code) }));
  if (all.length <= LOCALES.length) {
    return { often: [], rest: all };
  }
  return {
    often: LOCALES.flatMap((code) => all.filter((option) => option.code === code)),
    rest: all.filter((option) => !LOCALES.includes(option.code)).sort((a, b) => a.name.localeCompare(b.name, locale)),
  };
}
