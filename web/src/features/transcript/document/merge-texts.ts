/** Two texts of one segment made into one, word by word, by what each has changed of the text that both began from. */
import { diffIndices } from "node-diff3";

/** A word with its apostrophes and hyphens, or one other sign; each with the white space before it. */
const TOKEN = /\s*(?:[\p{L}\p{M}\p{N}]+(?:['’ʼ`-][\p{L}\p{M}\p{N}]+)*|\S)/gu;
const APOSTROPHES = /['’ʼ`]/g;

/** What one side has made of the common text. */
interface Changed {
  /** What it has put before the token of this position. */
  put: Map<number, readonly string[]>;
  /** Positions of the tokens that it has taken out. */
  out: Set<number>;
}

/**
 * The text with both sides' changes. Where both have put something at the same place there are mine and then theirs; what
 * one has changed and the other taken out stays changed; what both have done alike is there once.
 */
export function mergeTexts(base: string, mine: string, theirs: string): string {
  const common = tokensOf(base);
  const [a, b] = [changesOf(common, tokensOf(mine)), changesOf(common, tokensOf(theirs))];
  const merged = Array.from({ length: common.length + 1 }, (_, at) => {
    const kept = a.out.has(at) || b.out.has(at) ? [] : common.slice(at, at + 1);
    return [...bothOf(a.put.get(at) ?? [], b.put.get(at) ?? []), ...kept];
  });
  return merged.flat().join("").trim();
}

// Every word has a space before it, so that the first one is the same when others are put before it.
const tokensOf = (text: string): string[] => ` ${text.trim().replace(/\s+/g, " ")}`.match(TOKEN) ?? [];

/** The same word, however its apostrophe is written. */
const isSame = (one: string | undefined, other: string | undefined) =>
  one !== undefined && other !== undefined && one.replace(APOSTROPHES, "’") === other.replace(APOSTROPHES, "’");

function changesOf(base: readonly string[], side: readonly string[]): Changed {
  const { from, end } = alikeAtEnds(base, side, (one, other) => one === other);
  const changed: Changed = { put: new Map(), out: new Set() };
  for (const hunk of diffIndices(base.slice(from, base.length - end), side.slice(from, side.length - end))) {
    const [start, length] = hunk.buffer1;
    changed.put.set(from + start, hunk.buffer2Content);
    for (let at = start; at < start + length; at += 1) {
      changed.out.add(from + at);
    }
  }
  return changed;
}

/** What is put at one place by both; how they begin and end alike is there once. */
function bothOf(mine: readonly string[], theirs: readonly string[]): string[] {
  const { from, end } = alikeAtEnds(mine, theirs, isSame);
  return [...mine.slice(0, mine.length - end), ...theirs.slice(from)];
}

/** How many tokens two lists have alike at their beginning, and how many of the rest at their end. */
function alikeAtEnds(one: readonly string[], other: readonly string[], alike: typeof isSame): { from: number; end: number } {
  const most = Math.min(one.length, other.length);
  let from = 0;
  while (from < most && alike(one[from], other[from])) {
    from += 1;
  }
  let end = 0;
  while (end < most - from && alike(one.at(-1 - end), other.at(-1 - end))) {
    end += 1;
  }
  return { from, end };
}
