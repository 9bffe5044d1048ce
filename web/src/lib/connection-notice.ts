/** Notices about the connection: it is lost, pending changes are being saved, and (once) everything is saved. */
import { createStore, type StoreApi } from "zustand/vanilla";

export type ConnectionNotice = "away" | "saving" | "saved";

interface ConnectionNoticeState {
  notice: ConnectionNotice | null;
  /** Updates the state. `count`: pending changes. */
  update: (away: boolean, count: number) => void;
}

/** How long `saved` is shown, in ms. */
export const SAVED_MS = 5_000;

export function createConnectionNotice(): StoreApi<ConnectionNoticeState> {
  /** Whether changes were pending while the connection was lost; only then `saved` is shown. */
  let waited = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  return createStore<ConnectionNoticeState>()((set, get) => ({
    notice: null,
    update: (away, count) => {
      const before = get().notice;
      let notice: ConnectionNotice | null = null;
      if (away) {
        waited = (before === "away" && waited) || before === "saving" || count > 0;
        notice = "away";
      } else if (before === "away" || before === "saving") {
        notice = count > 0 ? "saving" : waited ? "saved" : null;
      } else if (before === "saved") {
        return;
      }
      if (notice === before) return;
      clearTimeout(timer);
      if (notice !== "away" && notice !== "saving") waited = false;
      if (notice === "saved") timer = setTimeout(() => set({ notice: null }), SAVED_MS);
      set({ notice });
    },
  }));
}

export const connectionNotice = createConnectionNotice();
