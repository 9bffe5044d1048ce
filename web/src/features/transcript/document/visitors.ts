/** Visitors of share links with recent edits: shown to the owner while the text is open. */
import type { StoredEdit } from "./model";

/** A visitor who continues within this time is not reported again: 10 minutes, as in the history. */
const QUIET_MS = 10 * 60_000;

/** Time of each visitor's last edit, by link and name. */
export type LastEdits = Map<string, number>;

interface VisitorNews {
  name: string;
  /** Start of the changed line, in seconds. */
  start: number | undefined;
}

/** Visitors without an edit for that time, each once; updates `lastEdits`. */
export function newVisitors(edits: readonly StoredEdit[], lastEdits: LastEdits, now: number): VisitorNews[] {
  const news: VisitorNews[] = [];
  for (const { author, changes } of edits) {
    if (!author?.share) continue;
    const name = author.name ?? "";
    const key = `${author.share.id} ${name}`;
    const last = lastEdits.get(key);
    lastEdits.set(key, now);
    if (last === undefined || now - last > QUIET_MS) news.push({ name, start: changes[0]?.segment?.start });
  }
  return news;
}
