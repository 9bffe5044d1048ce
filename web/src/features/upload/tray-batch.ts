/** Tracks one submission of the tray: which recordings have become jobs, and when to report that. */
import type { TrayListener } from "./tray-items";
import type { Tray } from "./tray-model";

export interface Batch {
  /** Reports once no job creation is pending; to be called whenever one ends. */
  settle: () => void;
  onStarted: (key: string, jobId: string) => void;
  onTrouble: (what: "upload" | "job") => void;
}

export function createBatch({ setState: set, getState: get }: Pick<Tray, "setState" | "getState">, news: TrayListener): Batch {
  const settle = () => {
    const { items, started } = get();
    if (started.length === 0 || items.some(({ state }) => state.submitting || state.queued !== null)) {
      return;
    }
    const all = items.length === 0;
    // While the reader is being navigated away, the page shows nothing.
    set(all ? { finished: true } : { started: [] });
    news.onStarted(started, all);
  };

  return {
    settle,
    onStarted: (key, jobId) => {
      set(({ items, started }) => {
        const name = items.find((item) => item.key === key)?.name ?? "";
        return { items: items.filter((item) => item.key !== key), started: [...started, { key, name, jobId }] };
      });
      settle();
    },
    onTrouble: (what) => {
      news.onTrouble(what);
      settle();
    },
  };
}
