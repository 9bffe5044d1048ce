/** Visitors of share links whose edits have just come: their owner is told who changes the text while it is open. */
import type { StoredEdit } from "./model";

/** Who goes on within this time is not told of again: 10 minutes, as in the history. */
const QUIET_MS = 10 * 60_000;

/** When each visitor was last heard of, by link and name. */
export type Heard = Map<string, number>;

interface VisitorNews {
  name: string;
  /** Where the line begins that they have changed, in seconds. */
  start: number | undefined;
}

/** Those that have not been heard of for a while, each once; `heard` is brought up to date. */
export function visitorsOf(edits: readonly StoredEdit[], heard: Heard, now: number): VisitorNews[] {
  const news: VisitorNews[] = [];
  for (const { author, changes } of edits) {
    if (!author?.share) continue;
    const name = author.name ?? "";
    const key = `${author.share.id} ${name}`;
    const last = heard.get(key);
    heard.set(key, now);
    if (last === undefined || now - last > QUIET_MS) news.push({ name, start: changes[0]?.segment?.start });
  }
  return news;
}
