/** Changes that the server does not have yet: those of open texts, and those that pages of other texts left in this browser. */
import { createStore } from "zustand/vanilla";

/** Where texts keep what was not sent, see features/transcript/document/shelf.ts: `slovo.edits.{user}.{job}.{tab}[.draft]`. */
export const UNSENT_PREFIX = "slovo.edits";

interface Unsent {
  /** By job, of the texts that are open on this page. */
  open: ReadonlyMap<string, number>;
}

export const unsent = createStore<Unsent>()(() => ({ open: new Map() }));

/** Tells how many changes of an open text wait; null when it is open no longer. */
export function setUnsentCount(jobId: string, count: number | null): void {
  const { open } = unsent.getState();
  if ((open.get(jobId) ?? null) === count) return;
  const next = new Map(open);
  if (count === null) next.delete(jobId);
  else next.set(jobId, count);
  unsent.setState({ open: next });
}

type Store = Pick<Storage, "getItem" | "key" | "length">;

/** How many changes of this user wait, in all. */
export function countUnsent(storage: Store, userId: string, { open }: Unsent): number {
  const folder = `${UNSENT_PREFIX}.${userId}.`;
  const openCount = [...open.values()].reduce((sum, count) => sum + count, 0);
  const keys = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? "");
  return keys
    .filter((key) => key.startsWith(folder) && !open.has(key.slice(folder.length).split(".")[0] ?? ""))
    .reduce((sum, key) => sum + (key.endsWith(".draft") ? 1 : queueLength(storage.getItem(key))), openCount);
}

function queueLength(kept: string | null): number {
  try {
    const { queue } = Object(JSON.parse(kept ?? "{}")) as { queue?: unknown };
    return Array.isArray(queue) ? queue.length : 0;
  } catch {
    return 0;
  }
}
