/**
 * Saves changes some time after the last one. Failed changes are kept and sent with the next change or with `flush`,
 * unless they are overwritten by newer values. Independent of React and the server.
 */
export type SaveState = "idle" | "saving" | "saved" | "error";

export interface AutosaveParts<Change extends object> {
  /** `leaving`: the page is being closed. */
  save: (change: Partial<Change>, leaving: boolean) => Promise<unknown>;
  /** Delay from the last change to the save, in ms. */
  delayMs: number;
  /** How long `saved` is shown, in ms. */
  shownMs: number;
  onState: (state: SaveState, error?: unknown) => void;
}

export interface Autosave<Change extends object> {
  change: (part: Partial<Change>) => void;
  /** Saves pending changes at once, if there are any. Settles when done, also on failure. */
  flush: (leaving?: boolean) => Promise<void>;
  /** Drops pending values: they belong to a user who has signed out. */
  forget: () => void;
}

export function createAutosave<Change extends object>(parts: AutosaveParts<Change>): Autosave<Change> {
  let waiting: Partial<Change> | null = null;
  let failure: { error: unknown } | null = null;
  let running = 0;
  let turn = 0;
  let due: ReturnType<typeof setTimeout> | undefined;
  let indicatorTimer: ReturnType<typeof setTimeout> | undefined;

  async function flush(leaving = false) {
    clearTimeout(due);
    if (waiting === null) return;
    const sent = waiting;
    const mine = turn;
    waiting = null;
    failure = null;
    running += 1;
    clearTimeout(indicatorTimer);
    parts.onState("saving");
    return parts.save(sent, leaving).then(
      () => void (mine === turn && settle()),
      (error: unknown) => {
        if (mine !== turn) return;
        waiting = { ...sent, ...waiting };
        failure = { error };
        settle();
      },
    );
  }

  /** Updates the state after the last save in progress has settled. */
  function settle() {
    running -= 1;
    if (running > 0) return;
    if (failure !== null) {
      parts.onState("error", failure.error);
      return;
    }
    parts.onState("saved");
    indicatorTimer = setTimeout(() => parts.onState("idle"), parts.shownMs);
  }

  return {
    change(part) {
      waiting = { ...waiting, ...part };
      clearTimeout(due);
      due = setTimeout(() => void flush(), parts.delayMs);
    },
    flush,
    forget() {
      turn += 1;
      running = 0;
      waiting = null;
      failure = null;
      clearTimeout(due);
      clearTimeout(indicatorTimer);
      parts.onState("idle");
    },
  };
}
