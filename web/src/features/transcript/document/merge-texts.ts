/** Merges two texts of a segment word by word, by the changes of each to their common base. */
import { diffIndices } from "node-diff3";

/** A word with its apostrophes and hyphens, or any other character; each with preceding white space. */
const TOKEN = /\s*(?:[\p{L}\p{M}\p{N}]+(?:['’ʼ`-][\p{L}\p{M}\p{N}]+)*|\S)/gu;
const APOSTROPHES = /['’ʼ`]/g;

/** The changes of one side to the common text. */
interface TokenChanges {
  /** Tokens inserted before the token with this index. */
  put: Map<number, readonly string[]>;
  /** Indices of removed tokens. */
  out: Set<number>;
}

/**
 * The text with both sides' changes. If both have inserted text at the same place, mine comes first; a word changed by
 * one side and removed by the other stays changed; equal changes are applied once.
 */
export function mergeTexts(base: string, local: string, remote: string): string {
  const common = tokensOf(base);
  const [a, b] = [changesOf(common, tokensOf(local)), changesOf(common, tokensOf(remote))];
  const merged = Array.from({ length: common.length + 1 }, (_, at) => {
    const unchanged = a.out.has(at) || b.out.has(at) ? [] : common.slice(at, at + 1);
    return [...bothOf(a.put.get(at) ?? [], b.put.get(at) ?? []), ...unchanged];
  });
  return merged.flat().join("").trim();
}

// Every word has a space before it, so that the first one is equal if other words precede it.
const tokensOf = (text: string): string[] => ` ${text.trim().replace(/\s+/g, " ")}`.match(TOKEN) ?? [];

/** Whether two words are equal, ignoring the kind of apostrophe. */
const isSame = (one: string | undefined, other: string | undefined) =>
  one !== undefined && other !== undefined && one.replace(APOSTROPHES, "’") === other.replace(APOSTROPHES, "’");

function changesOf(base: readonly string[], side: readonly string[]): TokenChanges {
  const { from, end } = alikeAtEnds(base, side, (one, other) => one === other);
  const changed: TokenChanges = { put: new Map(), out: new Set() };
  for (const hunk of diffIndices(base.slice(from, base.length - end), side.slice(from, side.length - end))) {
    const [start, length] = hunk.buffer1;
    changed.put.set(from + start, hunk.buffer2Content);
    for (let at = start; at < start + length; at += 1) {
      changed.out.add(from + at);
    }
  }
  return changed;
}

/** The insertions of both at one place; equal beginnings and ends are included once. */
function bothOf(local: readonly string[], remote: readonly string[]): string[] {
  const { from, end } = alikeAtEnds(local, remote, isSame);
  return [...local.slice(0, local.length - end), ...remote.slice(from)];
}

/** The number of equal tokens at the beginning of two lists, and of the rest at their end. */
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
