/**
 * The rules of transcripts: editing, finding, subtitles. A module of its own beside `@/rules`; importing this file loads
 * it, so only pages that show a transcript do.
 */
import { findInTexts } from "@slovo/rules/text";

export * from "@slovo/rules/text";

/** A stretch of a text, in UTF-16 units as everywhere in JavaScript. */
export interface TextRange {
  /** Where it begins. */
  from: number;
  /** Where it ends: the first unit behind it. */
  to: number;
}

/**
 * Where a query stands in many texts, whatever its case and its apostrophes: by the position of each text in which it
 * stands, in order and without overlaps. 10,000 texts of ten words take some tens of milliseconds.
 */
export function rangesByText(texts: string[], query: string): Map<number, TextRange[]> {
  const flat = findInTexts(texts, query);
  const found = new Map<number, TextRange[]>();
  for (let at = 0; at + 2 < flat.length; at += 3) {
    const [text, from, to] = flat.subarray(at, at + 3) as unknown as [number, number, number];
    const ranges = found.get(text);
    if (ranges) ranges.push({ from, to });
    else found.set(text, [{ from, to }]);
  }
  return found;
}

/** The text with something else in place of each range; the ranges are in order and do not overlap. */
export function withReplaced(text: string, ranges: readonly TextRange[], replacement: string): string {
  let done = 0;
  let result = "";
  for (const { from, to } of ranges) {
    result += text.slice(done, from) + replacement;
    done = to;
  }
  return result + text.slice(done);
}

/**
 * A caret's position as the rules count it: code points before it, for `splitSegment` and the edit `split`. A caret
 * between the halves of a surrogate pair stands before the pair.
 */
export function codePointsBefore(text: string, offset: number): number {
  const before = text.slice(0, offset);
  const count = [...before].length;
  const halved = /[\ud800-\udbff]$/.test(before) && /^[\udc00-\udfff]/.test(text.slice(offset));
  return halved ? count - 1 : count;
}
