/** The selectable languages: the two of the interface first, the others by name in the reader's alphabet. */
import type { TranscriptionType } from "@/api";
import { offeredLanguages } from "@/rules";
import { LOCALES } from "@/rules/looks";

interface Option {
  code: string;
  name: string;
}

const OFTEN: readonly string[] = LOCALES;

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
