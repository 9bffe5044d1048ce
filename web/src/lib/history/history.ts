/** The browser's history for the router, with a confirmation before a page is left. */
import {
  createPath,
  type Location,
  type NavigateOptions,
  type NavigationType,
  type Path,
  parsePath,
  type To,
} from "react-router";

/** The current place, and how it was reached. */
export interface Place {
  location: Location;
  action: `${NavigationType}`;
  /** The scroll position is kept instead of scrolling to the top. */
  keepsScroll: boolean;
}

/** Called before a navigation with the target path; `go` performs it. */
export type Blocker = (go: () => void, pathname: string) => void;

export interface History {
  place: () => Place;
  /** Subscribes to changes of place. */
  listen: (listener: (place: Place) => void) => () => void;
  /** Sets the blocker of navigations within the application; there is one at a time. Returns a function that removes it. */
  block: (blocker: Blocker) => () => void;
  createHref: (to: To) => string;
  push: (to: To, state?: unknown, options?: NavigateOptions) => void;
  replace: (to: To, state?: unknown, options?: NavigateOptions) => void;
  go: (delta: number) => void;
}

/** The state stored in an entry of the browser's history. */
interface StoredEntry {
  usr: unknown;
  key: string;
  /** Position among the entries of this application. */
  idx: number;
}

const FIRST_KEY = "default";

export function createHistory(page: Window, newKey: () => string = randomKey): History {
  const listeners = new Set<(place: Place) => void>();
  let blocker: Blocker | null = null;
  /** The next popstate only reverts a navigation that is being confirmed, or was confirmed. */
  let expected: (() => void) | null = null;
  if (storedEntry() === null) page.history.replaceState({ usr: null, key: FIRST_KEY, idx: 0 } satisfies StoredEntry, "");
  let idx = storedEntry()?.idx ?? 0;
  let place = read("POP", false);

  function storedEntry(): StoredEntry | null {
    const state = page.history.state as Partial<StoredEntry> | null;
    return typeof state?.idx === "number" ? (state as StoredEntry) : null;
  }

  function read(action: Place["action"], keepsScroll: boolean): Place {
    const { pathname, search, hash } = page.location;
    const { usr = null, key = FIRST_KEY } = storedEntry() ?? {};
    return { location: { pathname, search, hash, state: usr, key }, action, keepsScroll };
  }

  function arrive(action: Place["action"], keepsScroll = false) {
    place = read(action, keepsScroll);
    for (const listener of listeners) listener(place);
  }

  function leave(go: () => void, href: string) {
    if (blocker) blocker(go, parsePath(href).pathname ?? place.location.pathname);
    else go();
  }

  const change = (action: "PUSH" | "REPLACE") => (to: To, state?: unknown, options?: NavigateOptions) => {
    const href = hrefOf(to, place.location);
    leave(() => {
      const next = action === "PUSH" ? idx + 1 : idx;
      const entry: StoredEntry = { usr: state ?? null, key: newKey(), idx: next };
      if (action === "PUSH") page.history.pushState(entry, "", href);
      else page.history.replaceState(entry, "", href);
      idx = next;
      arrive(action, options?.preventScrollReset ?? false);
    }, href);
  };

  page.addEventListener("popstate", () => {
    if (expected) {
      const then = expected;
      expected = null;
      then();
      return;
    }
    // Links within the page create entries without this state.
    const next = storedEntry()?.idx ?? null;
    const delta = next === null ? 0 : next - idx;
    const move = () => {
      idx = next ?? idx;
      arrive("POP");
    };
    if (!blocker || delta === 0) {
      move();
      return;
    }
    // The browser has already navigated: go back to the page that asks.
    const activeBlocker = blocker;
    const { pathname } = page.location;
    expected = () =>
      activeBlocker(() => {
        expected = move;
        page.history.go(delta);
      }, pathname);
    page.history.go(-delta);
  });

  return {
    place: () => place,
    listen: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    block: (next) => {
      blocker = next;
      return () => {
        if (blocker === next) blocker = null;
      };
    },
    createHref: (to) => (typeof to === "string" ? to : createPath(to)),
    push: change("PUSH"),
    replace: change("REPLACE"),
    go: (delta) => page.history.go(delta),
  };
}

/** A `to` without a path refers to the current one; query and hash are not inherited. */
function hrefOf(to: To, { pathname }: Path): string {
  return createPath({ pathname, ...(typeof to === "string" ? parsePath(to) : to) });
}

function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
