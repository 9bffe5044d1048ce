/** Numbers in words, for sentences that are written so. */
interface NumberWord {
  /** Of the Ukrainian word. */
  case?: "genitive";
  /** It begins a sentence. */
  capital?: boolean;
}

const GENITIVE: Readonly<Record<number, string>> = { 5: "п’яти", 10: "десяти", 12: "дванадцяти" };
const WORDS: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  uk: { 5: "п’ять", 10: "десять", 12: "дванадцять" },
  en: { 5: "five", 10: "ten", 12: "twelve" },
};

/** A number that has no word here is shown in figures, so that a sentence stays true when a rule changes. */
export function inWords(value: number, locale: string | undefined, { case: of, capital = false }: NumberWord): string {
  const words = locale === "uk" && of === "genitive" ? GENITIVE : WORDS[locale ?? ""];
  const word = words?.[value] ?? String(value);
  return capital ? word.slice(0, 1).toLocaleUpperCase(locale) + word.slice(1) : word;
}
