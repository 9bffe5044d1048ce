/** Numbers as words, for texts that spell them out. */
interface NumberWord {
  /** Grammatical case of the Ukrainian word; the accusative is feminine. */
  case?: "genitive" | "accusative";
  /** Whether it starts a sentence. */
  capital?: boolean;
}

const GENITIVE: Readonly<Record<number, string>> = { 3: "трьох", 5: "п’яти", 10: "десяти", 12: "дванадцяти" };
const ACCUSATIVE: Readonly<Record<number, string>> = { 1: "одну" };
const WORDS: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  uk: { 5: "п’ять", 9: "дев’ять", 10: "десять", 12: "дванадцять" },
  en: { 1: "one", 3: "three", 5: "five", 9: "nine", 10: "ten", 12: "twelve" },
};

/** Numbers without a word here are written as digits, so that texts stay correct when a limit changes. */
export function inWords(value: number, locale: string | undefined, { case: of, capital = false }: NumberWord): string {
  const words = locale === "uk" && of ? { genitive: GENITIVE, accusative: ACCUSATIVE }[of] : WORDS[locale ?? ""];
  const word = words?.[value] ?? String(value);
  return capital ? word.slice(0, 1).toLocaleUpperCase(locale) + word.slice(1) : word;
}
