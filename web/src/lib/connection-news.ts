/** What there is to say of the connection: that it is lost, that what waited is being saved, and once that all is saved. */
import { createStore, type StoreApi } from "zustand/vanilla";

export type News = "away" | "saving" | "saved";

interface ConnectionNews {
  news: News | null;
  /** Updates the state. `count`: pending changes. */
  look: (away: boolean, count: number) => void;
}

/** How long `saved` stays: long enough to be read. */
export const SAVED_MS = 5_000;

export function createConnectionNews(): StoreApi<ConnectionNews> {
  /** Whether something waited while the connection was lost: only then there is something to say at the end. */
  let waited = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  return createStore<ConnectionNews>()((set, get) => ({
    news: null,
    look: (away, count) => {
      const before = get().news;
      let news: News | null = null;
      if (away) {
        waited = (before === "away" && waited) || before === "saving" || count > 0;
        news = "away";
      } else if (before === "away" || before === "saving") {
        news = count > 0 ? "saving" : waited ? "saved" : null;
      } else if (before === "saved") {
        return;
      }
      if (news === before) return;
      clearTimeout(timer);
      if (news !== "away" && news !== "saving") waited = false;
      if (news === "saved") timer = setTimeout(() => set({ news: null }), SAVED_MS);
      set({ news });
    },
  }));
}

export const connectionNews = createConnectionNews();
