/** Reads a store with a delay, for content beside the text, so that a keystroke is rendered in a frame of its own. */
import { useEffect, useEffectEvent, useState } from "react";
import type { StoreApi } from "zustand";
import { whenPainted } from "@/lib/when-painted";

/** A selection of a store as of the last painted frame; updated only if it is not the `same`. */
export function useDeferredStore<State, Selected>(
  store: StoreApi<State>,
  select: (state: State) => Selected,
  same: (before: Selected, after: Selected) => boolean = Object.is,
): Selected {
  const [selected, setSelected] = useState(() => select(store.getState()));
  const read = useEffectEvent(() => {
    const newest = select(store.getState());
    setSelected((before) => (same(before, newest) ? before : newest));
  });
  useEffect(() => {
    let callOff: (() => void) | null = null;
    const soon = () => {
      callOff ??= whenPainted(() => {
        callOff = null;
        read();
      });
    };
    // It may have changed since it was rendered.
    read();
    const end = store.subscribe(soon);
    return () => {
      end();
      callOff?.();
    };
  }, [store]);
  return selected;
}
