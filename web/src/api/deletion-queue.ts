/** Deletions that can still be taken back. What waits here is hidden from lists, but exists on the server. */

interface Waiting {
  ids: readonly string[];
  timer: ReturnType<typeof setTimeout>;
  run: (keepalive: boolean) => void;
}

export function createDeletionQueue(remove: (ids: readonly string[], keepalive: boolean) => Promise<unknown>, delayMs: number) {
  /** By the first of the ids that go together. */
  const waiting = new Map<string, Waiting>();
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
     * Deletes them together after the delay; those that wait already are left out, and false says that all do. `onStart` runs
     * when nothing can be taken back any more, `onSettled` before the ids are shown again, so that the list can be fetched
     * anew.
     */
    schedule(wanted: readonly string[], onStart: () => unknown, onSettled: (error: unknown) => Promise<unknown>): boolean {
      const ids = wanted.filter((id) => !hidden.has(id));
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

    /** Takes back the deletion that any of these ids waits for. Does nothing once it is on its way. */
    undo(wanted: readonly string[]) {
      for (const [first, { ids, timer }] of [...waiting]) {
        if (!ids.some((id) => wanted.includes(id))) continue;
        clearTimeout(timer);
        waiting.delete(first);
        hide((all) => ids.forEach((id) => void all.delete(id)));
      }
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
