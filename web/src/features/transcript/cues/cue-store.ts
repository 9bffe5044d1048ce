/** Which subtitle is chosen, where the caret was in it, and where one that is being moved stands until it is let go. */
import { createStore, type StoreApi } from "zustand/vanilla";
import type { Span } from "./geometry";

/** A subtitle by its segment and its place among that one's. */
export interface CueKey {
  segment: string;
  part: number;
}

export interface CueState {
  chosen: CueKey | null;
  /** The last caret in the chosen one's text: a UTF-16 position in the text of its segment; null: none was there. */
  caret: number | null;
  /** Where the chosen one stands while it is dragged or its key is held; null: where the text has it. */
  moving: Span | null;
  /** The over-limit subtitle that was gone to, as it is told; empty: none. */
  told: string;
}

export interface CueStore extends StoreApi<CueState> {
  choose: (key: CueKey | null) => void;
}

export function createCueStore(): CueStore {
  const store = createStore<CueState>()(() => ({ chosen: null, caret: null, moving: null, told: "" }));
  return Object.assign(store, {
    choose: (key: CueKey | null) => {
      if (!sameCue(store.getState().chosen, key)) {
        store.setState({ chosen: key, caret: null, moving: null });
      }
    },
  });
}

export const sameCue = (one: CueKey | null, other: CueKey | null): boolean =>
  one?.segment === other?.segment && one?.part === other?.part;
