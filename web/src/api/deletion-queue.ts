/** Deletions that can still be undone. Items in the queue are hidden from lists, but exist on the server. */

interface PendingDeletion {
  ids: readonly string[];
  timer: ReturnType<typeof setTimeout>;
  run: (keepalive: boolean) => void;
}

export function createDeletionQueue(remove: (ids: readonly string[], keepalive: boolean) => Promise<unknown>, delayMs: number) {
  /** By the first id of each group. */
  const waiting = new Map<string, PendingDeletion>();
  const listeners = new Set<() => void>();
  /** Replaced instead of mutated, because React compares it. */
  let hidden: ReadonlySet<string> = new Set();

  function hide(change: (ids: Set<string>) => void) {
    const next = new Set(hidden);
    change(next);
    hidden = next;
    for (const listener of listeners) listener();
  }

  return {
    /**
     * Deletes the items together after the delay. Items already in the queue are left out; returns false if all are.
     * `onStart` runs when undo is no longer possible, `onSettled` before the ids are shown again, so that the list can
     * be refetched.
     */
    schedule(requested: readonly string[], onStart: () => unknown, onSettled: (error: unknown) => Promise<unknown>): boolean {
      const ids = requested.filter((id) => !hidden.has(id));
      const [first] = ids;
      if (first === undefined) return false;
      const show = () => hide((all) => ids.forEach((id) => void all.delete(id)));
      const run = async (keepalive: boolean) => {
        clearTimeout(waiting.get(first)?.timer);
        waiting.delete(first);
        onStart();
        const failure = await remove(ids, keepalive).then(
          () => null,
          (error: unknown) => error,
        );
        await onSettled(failure).catch(() => undefined);
        show();
      };
      waiting.set(first, { ids, run, timer: setTimeout(() => run(false), delayMs) });
      hide((all) => ids.forEach((id) => void all.add(id)));
      return true;
    },

    /** Undoes the pending deletion that contains any of these ids. Has no effect once the request was sent. */
    undo(requested: readonly string[]) {
      for (const [first, { ids, timer }] of [...waiting]) {
        if (!ids.some((id) => requested.includes(id))) continue;
        clearTimeout(timer);
        waiting.delete(first);
        hide((all) => ids.forEach((id) => void all.delete(id)));
      }
    },

    /** Starts all pending deletions at once, because the page is being closed. */
    flush() {
      for (const entry of [...waiting.values()]) entry.run(true);
    },

    /** Discards everything, because another user has signed in. */
    clear() {
      for (const { timer } of waiting.values()) clearTimeout(timer);
      waiting.clear();
      hide((ids) => ids.clear());
    },

    hidden: () => hidden,

    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
