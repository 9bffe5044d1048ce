/** Code that is fetched when it is needed for the first time, and may be fetched a little earlier. */
import { type ComponentType, createElement, use, useSyncExternalStore } from "react";

/** A module, or what is taken from one, that is not fetched with the page. */
export interface Part<T> {
  /** Null until it is there. */
  get: () => T | null;
  /** Fetches it, once; after a failure, anew. Rejects when it cannot be had. */
  load: () => Promise<T>;
  /** The newest attempt, also one that has failed; without one, the first. */
  attempt: () => Promise<T>;
  subscribe: (listener: () => void) => () => void;
}

const failed = new Set<() => void>();

/** The next who asks for a part that could not be fetched makes a new attempt. For whoever has shown that it failed. */
export function forgetFailedParts(): void {
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

/** The part as soon as it is there, whoever has asked for it; null before. */
export function usePart<T>(part: Part<T>): T | null {
  return useSyncExternalStore(part.subscribe, part.get);
}

/**
 * A component whose code is fetched when it is first shown: the nearest Suspense waits for it, the nearest error boundary
 * hears of a failure. Unlike React's own `lazy` it is shown at once, without a blink of the fallback, when its code is there.
 */
export function lazyPart<Props extends object>(
  fetch: () => Promise<ComponentType<Props>>,
): ComponentType<Props> & { load: () => Promise<unknown> } {
  const part = createPart(fetch);
  const Lazy = (props: Props) => createElement(part.get() ?? use(part.attempt()), props);
  return Object.assign(Lazy, { load: part.load });
}
