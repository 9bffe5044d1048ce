/** The code from the mail, as typed or pasted. */
import { limits } from "@/rules";

/** Letters of the Ukrainian keyboard that look like Latin ones. */
const LATIN: Record<string, string> = {
  А: "A",
  В: "B",
  Е: "E",
  І: "I",
  К: "K",
  М: "M",
  Н: "H",
  О: "O",
  Р: "P",
  С: "C",
  Т: "T",
  У: "Y",
  Х: "X",
};

/** Only capital letters and digits, at most as many as a code has. */
export function normalizeCode(typed: string): string {
  const letters = typed.toUpperCase().replace(/[^\p{L}\p{N}]/gu, "");
  return [...letters]
    .map((letter) => LATIN[letter] ?? letter)
    .slice(0, limits().verification_code_length)
    .join("");
}
