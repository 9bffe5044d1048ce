/** The selected subtitle, the last caret in it, and the position of a subtitle that is being moved. */
import { createStore, type StoreApi } from "zustand/vanilla";
import type { Span } from "./geometry";

/** A subtitle, by its segment and its index there. */
export interface CueKey {
  segment: string;
  part: number;
}

export interface CueState {
  chosen: CueKey | null;
  /** The last caret in the selected one's text: a UTF-16 offset in its segment's text; null if there was none. */
  caret: number | null;
  /** Position of the selected one while it is dragged or its key is held; null otherwise. */
  moving: Span | null;
  /** The announcement for the over-limit subtitle that was navigated to; empty if none. */
  announcement: string;
}

export interface CueStore extends StoreApi<CueState> {
  choose: (key: CueKey | null) => void;
}

export function createCueStore(): CueStore {
  const store = createStore<CueState>()(() => ({ chosen: null, caret: null, moving: null, announcement: "" }));
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
