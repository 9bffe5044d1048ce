/** Creates a bookmark or a highlight of the current text. */
import type { Annotation, NewAnnotation } from "@/api";
import { newUuid } from "@/lib/tab-client";
import { MAX_QUOTE } from "@/rules/constants";
import type { EditedSegment } from "../document/model";
import { timeAtOffset } from "../tabs/time-at-offset";
import { lineAt, type Piece, toCharacterOffset } from "./anchor";

export type Colour = Annotation["colour"];

/** Length of the quote in a bookmark. */
const BOOKMARK_QUOTE = 80;

const cut = (text: string, characters: number): string => [...text].slice(0, characters).join("").trimEnd();

/** A highlight of a part of a line; null if it contains no words. */
export function highlightOf(line: EditedSegment, piece: Piece, version: number, colour: Colour): NewAnnotation | null {
  const raw = line.text.slice(piece.from, piece.to);
  const quote = cut(raw.trim(), MAX_QUOTE);
  if (quote === "") {
    return null;
  }
  const from = piece.from + raw.length - raw.trimStart().length;
  const last = from + quote.length - 1;
  const start = timeAtOffset(line, from);
  const lastStart = timeAtOffset(line, last);
  const end = line.words.findLast((word) => word.start <= lastStart)?.end ?? line.end;
  return {
    id: newUuid(),
    kind: "highlight",
    colour,
    version,
    segment: line.id,
    offset: toCharacterOffset(line.text, from),
    quote,
    start,
    end: Math.max(start, end),
    note: "",
  };
}

/** A bookmark at a second of the recording; null where there is no text. */
export function bookmarkAt(
  segments: readonly EditedSegment[],
  seconds: number,
  version: number,
  colour: Colour,
): NewAnnotation | null {
  const line = segments[lineAt(segments, seconds)];
  if (!line) {
    return null;
  }
  const start = Math.max(0, seconds);
  const remainder = textFrom(line, start);
  return {
    id: newUuid(),
    kind: "bookmark",
    colour,
    version,
    segment: line.id,
    offset: toCharacterOffset(line.text, line.text.length - remainder.length),
    quote: cut(remainder, BOOKMARK_QUOTE),
    start,
    end: start,
    note: "",
  };
}

/** The rest of the line from the word being played; the whole line if words have no times. */
function textFrom(line: EditedSegment, seconds: number): string {
  let at = 0;
  let from = 0;
  for (const word of line.words) {
    const index = line.text.indexOf(word.text.trim(), at);
    if (index < 0) {
      continue;
    }
    if (word.start > seconds) {
      break;
    }
    from = index;
    at = index + word.text.trim().length;
  }
  return line.text.slice(from);
}
