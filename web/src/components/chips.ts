/** Splits typed or pasted lists into entries. */

/** Separators of a pasted list. */
const SEPARATOR = /[,;\n\r\t]+/;

export const endsEntry = (text: string): boolean => SEPARATOR.test(text);

export function splitEntries(text: string): string[] {
  return text
    .split(SEPARATOR)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}

/** Without duplicates (ignoring case), in order of appearance. */
export function withEntries(entries: readonly string[], added: readonly string[]): string[] {
  const seen = new Set<string>();
  return [...entries, ...added].filter((entry) => {
    const key = entry.toLowerCase();
    return !seen.has(key) && seen.add(key);
  });
}
