/** Lists that people type or paste, as single entries. */

/** What parts the entries of a pasted list. */
const SEPARATOR = /[,;\n\r\t]+/;

export const endsEntry = (text: string): boolean => SEPARATOR.test(text);

export function splitEntries(text: string): string[] {
  return text
    .split(SEPARATOR)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}

/** Each once, whatever its case, in the order in which they came. */
export function withEntries(entries: readonly string[], added: readonly string[]): string[] {
  const seen = new Set<string>();
  return [...entries, ...added].filter((entry) => {
    const key = entry.toLowerCase();
    return !seen.has(key) && seen.add(key);
  });
}
