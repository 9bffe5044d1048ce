/** Splits a text at its search results. */
import type { TextRange } from "@/rules/text";

export interface MatchPiece {
  from: number;
  text: string;
  found: boolean;
}

/** The matching and other parts of a text. */
export function piecesOf(text: string, ranges: readonly TextRange[]): MatchPiece[] {
  const pieces: MatchPiece[] = [];
  let at = 0;
  for (const { from, to } of ranges) {
    if (from > at) pieces.push({ from: at, text: text.slice(at, from), found: false });
    pieces.push({ from, text: text.slice(from, to), found: true });
    at = to;
  }
  if (at < text.length) pieces.push({ from: at, text: text.slice(at), found: false });
  return pieces;
}
