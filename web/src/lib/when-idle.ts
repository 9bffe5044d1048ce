/** For what a page does without, and what is better had before it is wanted. */

/** Longest wait, in ms, of browsers that do not tell when they are idle. */
const PATIENCE_MS = 2_000;

/** Calls once everything of the page has been loaded and the browser has nothing better to do. Gives the way to call it off. */
export function whenIdle(act: () => void): () => void {
  const off = new AbortController();
  const ask = () => {
    if (off.signal.aborted) return;
    if (typeof requestIdleCallback === "function") {
      const id = requestIdleCallback(act);
      off.signal.addEventListener("abort", () => cancelIdleCallback(id));
    } else {
      const id = setTimeout(act, PATIENCE_MS);
      off.signal.addEventListener("abort", () => clearTimeout(id));
    }
  };
  if (document.readyState === "complete") ask();
  else window.addEventListener("load", ask, { once: true, signal: off.signal });
  return () => off.abort();
}

/** Fetches what will be wanted soon. What cannot be had now is asked for again when it is wanted. */
export function prefetchWhenIdle(loads: readonly (() => Promise<unknown>)[]): () => void {
  return whenIdle(() => {
    for (const load of loads) load().catch(() => undefined);
  });
}
