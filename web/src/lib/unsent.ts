/** Counts unsaved changes: of open texts, and of other texts, stored in this browser by earlier pages. */
import { createStore } from "zustand/vanilla";

/** Prefix of the storage keys, see features/transcript/document/edit-storage.ts: `slovo.edits.{user}.{job}.{tab}[.draft]`. */
export const UNSENT_PREFIX = "slovo.edits";

interface UnsentState {
  /** By job id, for texts open on this page. */
  open: ReadonlyMap<string, number>;
}

export const unsent = createStore<UnsentState>()(() => ({ open: new Map() }));

/** Sets the number of pending changes of an open text; null when it is closed. */
export function setUnsentCount(jobId: string, count: number | null): void {
  const { open } = unsent.getState();
  if ((open.get(jobId) ?? null) === count) return;
  const next = new Map(open);
  if (count === null) next.delete(jobId);
  else next.set(jobId, count);
  unsent.setState({ open: next });
}

type Store = Pick<Storage, "getItem" | "key" | "length">;

/** The number of pending changes of this user. */
export function countUnsent(storage: Store, userId: string, { open }: UnsentState): number {
  const folder = `${UNSENT_PREFIX}.${userId}.`;
  const openCount = [...open.values()].reduce((sum, count) => sum + count, 0);
  const keys = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? "");
  return keys
    .filter((key) => key.startsWith(folder) && !open.has(key.slice(folder.length).split(".")[0] ?? ""))
    .reduce((sum, key) => sum + (key.endsWith(".draft") ? 1 : queueLength(storage.getItem(key))), openCount);
}

function queueLength(stored: string | null): number {
  try {
    const { queue } = Object(JSON.parse(stored ?? "{}")) as { queue?: unknown };
    return Array.isArray(queue) ? queue.length : 0;
  } catch {
    return 0;
  }
}
