/**
 * The rules of transcripts: editing, searching, subtitles. A separate WebAssembly module; importing this file loads it,
 * so only pages that show a transcript import it.
 */
import { findInTexts } from "@slovo/rules/text";

export * from "@slovo/rules/text";

/** A range of a text, in UTF-16 code units. */
export interface TextRange {
  /** The first unit. */
  from: number;
  /** The first unit after it. */
  to: number;
}

/**
 * The matches of a query in many texts, by the index of the text; case and kinds of apostrophe are ignored. Matches are in
 * order and do not overlap. 10,000 texts of ten words take some tens of milliseconds.
 */
export function rangesByText(texts: string[], query: string): Map<number, TextRange[]> {
  const flat = findInTexts(texts, query);
  const byText = new Map<number, TextRange[]>();
  for (let at = 0; at + 2 < flat.length; at += 3) {
    const [text, from, to] = flat.subarray(at, at + 3) as unknown as [number, number, number];
    const ranges = byText.get(text);
    if (ranges) ranges.push({ from, to });
    else byText.set(text, [{ from, to }]);
  }
  return byText;
}

/** The text with each range replaced; the ranges must be in order and not overlap. */
export function withReplaced(text: string, ranges: readonly TextRange[], replacement: string): string {
  let position = 0;
  let result = "";
  for (const { from, to } of ranges) {
    result += text.slice(position, from) + replacement;
    position = to;
  }
  return result + text.slice(position);
}

/**
 * Converts a UTF-16 offset to the unit of the rules, for `splitSegment` and the edit `split`: the number of code points
 * before it. An offset inside a surrogate pair counts as before the pair.
 */
export function codePointsBefore(text: string, offset: number): number {
  const before = text.slice(0, offset);
  const count = [...before].length;
  const halved = /[\ud800-\udbff]$/.test(before) && /^[\udc00-\udfff]/.test(text.slice(offset));
  return halved ? count - 1 : count;
}
