/** Finds a query in texts, with the rules' folding (case, apostrophes) and the reader's options. */
import { rangesByText, type TextRange } from "@/rules/text";

/** A match in one of several texts. */
export interface Match extends TextRange {
  /** Index of the text. */
  text: number;
}

export interface MatchOptions {
  /** Case-sensitive. */
  exactCase?: boolean;
  /** Whole words only. */
  wholeWords?: boolean;
}

/** All matches, in order. */
export function findMatches(texts: readonly string[], query: string, options: MatchOptions = {}): Match[] {
  const trimmed = query.trim();
  if (trimmed === "") {
    return [];
  }
  return [...rangesByText([...texts], trimmed)].flatMap(([text, ranges]) =>
    ranges.map((range) => ({ text, ...range })).filter((match) => fits(texts[text] ?? "", match, trimmed, options)),
  );
}

const LETTER = /[\p{L}\p{N}_]/u;

function fits(text: string, { from, to }: TextRange, query: string, { exactCase, wholeWords }: MatchOptions): boolean {
  if (exactCase && text.slice(from, to) !== query) {
    return false;
  }
  return !wholeWords || !(LETTER.test(text.slice(from - 1, from)) || LETTER.test(text.slice(to, to + 1)));
}

/** The text around a match, cut at words. */
export function contextOf(text: string, { from, to }: TextRange, letters = 60) {
  const start = from <= letters ? 0 : text.indexOf(" ", from - letters) + 1;
  const cut = start > 0 && start <= from ? start : 0;
  const space = text.lastIndexOf(" ", to + letters);
  const end = to + letters >= text.length || space <= to ? text.length : space;
  return {
    before: (cut > 0 ? "…" : "") + text.slice(cut, from),
    match: text.slice(from, to),
    after: text.slice(to, end) + (end < text.length ? "…" : ""),
  };
}
