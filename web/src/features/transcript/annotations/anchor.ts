/**
 * Finds bookmarks and highlights in the current text. A mark stores its words, their time and their line; but lines are
 * split, joined and rewritten, and another run has others. Words are searched in their line first, then in lines near
 * their time, also across line ends; the same words at another time are not a match.
 */
import type { Annotation } from "@/api";
import { timeAtOffset } from "../tabs/time-at-offset";

interface Line {
  id: string;
  start: number;
  end: number;
  text: string;
  words: readonly { text: string; start: number; end: number; confidence: number }[];
}

/** Part of a line, in UTF-16 offsets. */
export interface Piece {
  segment: string;
  from: number;
  to: number;
}

export interface AnchoredAnnotation {
  mark: Annotation;
  /** The words of a highlight; more than one piece where the line was parted within them. Empty for a bookmark. */
  pieces: readonly Piece[];
  /** Position of the line; -1 if there is no text. */
  line: number;
  /** Its words are no longer in the text. */
  changed: boolean;
}

interface CurrentText {
  segments: readonly Line[];
  positions: ReadonlyMap<string, number>;
  version: number;
}

/** Maximum distance of words from their time, in seconds: edits shift times slightly, another run more. */
const NEAR_SECONDS = 2;
const NEAR_OF_ANOTHER_RUN = 3;

/** All marks with their positions, in the order of the recording. */
export function anchorAll(marks: readonly Annotation[], text: CurrentText): AnchoredAnnotation[] {
  const sorted = marks.toSorted((a, b) => a.start - b.start || a.created_at.localeCompare(b.created_at));
  return sorted.map((mark) => anchor(mark, text));
}

function anchor(mark: Annotation, text: CurrentText): AnchoredAnnotation {
  const ownLine = mark.version === text.version ? (text.positions.get(mark.segment) ?? -1) : -1;
  if (mark.kind === "bookmark") {
    const line = text.segments[ownLine];
    const covers = line !== undefined && mark.start >= line.start && mark.start <= line.end;
    return { mark, pieces: [], line: covers ? ownLine : lineAt(text.segments, mark.start), changed: false };
  }
  const pieces = inPlace(mark, text.segments[ownLine]) ?? nearest(mark, text, ownLine);
  if (pieces) {
    return { mark, pieces, line: text.positions.get(pieces[0]?.segment ?? "") ?? -1, changed: false };
  }
  return { mark, pieces: [], line: ownLine >= 0 ? ownLine : lineAt(text.segments, mark.start), changed: true };
}

/** The words exactly where they were marked. */
function inPlace({ quote, offset }: Annotation, line: Line | undefined): Piece[] | null {
  const from = line ? toUtf16Offset(line.text, offset) : -1;
  return line && quote !== "" && line.text.startsWith(quote, from) ? [{ segment: line.id, from, to: from + quote.length }] : null;
}

/** The same words in the lines around their time: the nearest in time. */
function nearest(mark: Annotation, text: CurrentText, ownLine: number): Piece[] | null {
  const near = mark.version === text.version ? NEAR_SECONDS : NEAR_OF_ANOTHER_RUN;
  const lines = linesAround(text.segments, mark, near, ownLine);
  const joined = lines.map((line) => line.text).join(" ");
  let best: { pieces: Piece[]; far: number } | null = null;
  for (let at = joined.indexOf(mark.quote); at >= 0 && mark.quote !== ""; at = joined.indexOf(mark.quote, at + 1)) {
    const pieces = piecesOf(lines, at, at + mark.quote.length);
    const first = lines.find(({ id }) => id === pieces[0]?.segment);
    if (!first) {
      continue;
    }
    const far = distance(first, pieces[0]?.from ?? 0, mark);
    if (far <= near && (!best || far < best.far)) {
      best = { pieces, far };
    }
  }
  return best?.pieces ?? null;
}

/** Seconds between an offset of a line and the mark; without word times, between the line and the mark. */
function distance(line: Line, offset: number, { start }: Annotation): number {
  if (line.words.length > 0) {
    return Math.abs(timeAtOffset({ ...line, words: [...line.words] }, offset) - start);
  }
  return Math.max(0, line.start - start, start - line.end);
}

/** The lines around a mark's time, and its own one. */
function linesAround(lines: readonly Line[], { start, end }: Annotation, near: number, ownLine: number): readonly Line[] {
  let from = Math.max(0, lineAt(lines, start - near) - 1);
  let to = Math.max(from, lineAt(lines, end + near) + 1);
  if (ownLine >= 0) {
    from = Math.min(from, ownLine);
    to = Math.max(to, ownLine);
  }
  return lines.slice(from, to + 1);
}

/** The last line that has begun by then; before all lines the first, -1 if there is none. */
export function lineAt(lines: readonly Pick<Line, "start">[], seconds: number): number {
  let from = 0;
  let to = lines.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((lines[middle]?.start ?? 0) <= seconds) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  return lines.length === 0 ? -1 : Math.max(0, from - 1);
}

/** Splits a range of lines joined by spaces into ranges of each line. */
function piecesOf(lines: readonly Line[], from: number, to: number): Piece[] {
  const pieces: Piece[] = [];
  let begins = 0;
  for (const { id, text } of lines) {
    const [a, b] = [Math.max(0, from - begins), Math.min(text.length, to - begins)];
    if (a < b) {
      pieces.push({ segment: id, from: a, to: b });
    }
    begins += text.length + 1;
  }
  return pieces;
}

/** The API counts Unicode characters, the page UTF-16 code units. */
export const toCharacterOffset = (text: string, units: number): number => [...text.slice(0, units)].length;

/** Offset of the character with this index; the end of the text if it is out of range. */
export function toUtf16Offset(text: string, characters: number): number {
  let at = 0;
  for (const character of text) {
    if (characters <= 0) {
      break;
    }
    characters -= 1;
    at += character.length;
  }
  return at;
}
