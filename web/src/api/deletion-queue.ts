/** Deletions that can still be taken back. What waits here is hidden from lists, but exists on the server. */

export function createDeletionQueue(remove: (id: string, keepalive: boolean) => Promise<unknown>, delayMs: number) {
  const waiting = new Map<string, { timer: ReturnType<typeof setTimeout>; run: (keepalive: boolean) => void }>();
  const listeners = new Set<() => void>();
  /** Replaced, never changed: React compares it. */
  let hidden: ReadonlySet<string> = new Set();

  function hide(change: (ids: Set<string>) => void) {
    const next = new Set(hidden);
    change(next);
    hidden = next;
    for (const listener of listeners) listener();
  }

  return {
    /**
     * Deletes after the delay; false when the id waits already. `onStart` runs when nothing can be taken back any more,
     * `onSettled` before the id is shown again, so that the list can be fetched anew.
     */
    schedule(id: string, onStart: () => unknown, onSettled: (error: unknown) => Promise<unknown>): boolean {
      if (hidden.has(id)) return false;
      const run = async (keepalive: boolean) => {
        clearTimeout(waiting.get(id)?.timer);
        waiting.delete(id);
        onStart();
        const failure = await remove(id, keepalive).then(
          () => null,
          (error: unknown) => error,
        );
        await onSettled(failure).catch(() => undefined);
        hide((ids) => ids.delete(id));
      };
      waiting.set(id, { run, timer: setTimeout(() => run(false), delayMs) });
      hide((ids) => ids.add(id));
      return true;
    },

    /** Takes a deletion back. Does nothing once it is on its way. */
    undo(id: string) {
      const entry = waiting.get(id);
      if (!entry) return;
      clearTimeout(entry.timer);
      waiting.delete(id);
      hide((ids) => ids.delete(id));
    },

    /** Does now what waits: the page is being left. */
    flush() {
      for (const entry of [...waiting.values()]) entry.run(true);
    },

    /** Forgets everything; used when another user has taken over. */
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
