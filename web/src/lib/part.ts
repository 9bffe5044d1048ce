/** Code that is loaded on first use, or preloaded. */
import { type ComponentType, createElement, use, useSyncExternalStore } from "react";

/** A lazily loaded module, or an export of one. */
export interface Part<T> {
  /** Null until it is loaded. */
  get: () => T | null;
  /** Loads it once, or again after a failure. Rejects if loading fails. */
  load: () => Promise<T>;
  /** The last attempt to load it, also if it failed; starts the first one. */
  attempt: () => Promise<T>;
  subscribe: (listener: () => void) => () => void;
}

const failed = new Set<() => void>();

/** Makes failed parts load again on the next use. Called by an error boundary after it has shown the failure. */
export function retryFailedParts(): void {
  for (const forget of failed) forget();
  failed.clear();
}

export function createPart<T>(fetch: () => Promise<T>): Part<T> {
  const listeners = new Set<() => void>();
  let part: T | null = null;
  let last: Promise<T> | null = null;
  const forget = () => {
    last = null;
  };
  const attempt = () => {
    last ??= fetch().then(
      (fetched) => {
        part = fetched;
        for (const listener of listeners) listener();
        return fetched;
      },
      (error: unknown) => {
        failed.add(forget);
        throw error;
      },
    );
    return last;
  };
  return {
    get: () => part,
    attempt,
    load: () => {
      if (failed.delete(forget)) forget();
      return attempt();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The part, or null until it is loaded; does not load it. */
export function usePart<T>(part: Part<T>): T | null {
  return useSyncExternalStore(part.subscribe, part.get);
}

/**
 * A component whose code is loaded when it is first rendered; it suspends, and failures go to the nearest error boundary.
 * Unlike React's `lazy`, it renders without a flash of the fallback if the code is already loaded.
 */
export function lazyPart<Props extends object>(
  fetch: () => Promise<ComponentType<Props>>,
): ComponentType<Props> & { load: () => Promise<unknown> } {
  const part = createPart(fetch);
  const Lazy = (props: Props) => createElement(part.get() ?? use(part.attempt()), props);
  return Object.assign(Lazy, { load: part.load });
}
