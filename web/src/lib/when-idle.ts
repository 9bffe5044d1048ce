/** Defers work that a page does not need at once. */

/** Delay in browsers without `requestIdleCallback`, in ms. */
const FALLBACK_MS = 2_000;

/** Calls back when the page is loaded and the browser is idle. Returns the cancel function. */
export function whenIdle(act: () => void): () => void {
  const off = new AbortController();
  const ask = () => {
    if (off.signal.aborted) return;
    if (typeof requestIdleCallback === "function") {
      const id = requestIdleCallback(act);
      off.signal.addEventListener("abort", () => cancelIdleCallback(id));
    } else {
      const id = setTimeout(act, FALLBACK_MS);
      off.signal.addEventListener("abort", () => clearTimeout(id));
    }
  };
  if (document.readyState === "complete") ask();
  else window.addEventListener("load", ask, { once: true, signal: off.signal });
  return () => off.abort();
}

/** Preloads code that will be used soon. Failures are ignored: it is loaded again on use. */
export function prefetchWhenIdle(loads: readonly (() => Promise<unknown>)[]): () => void {
  return whenIdle(() => {
    for (const load of loads) load().catch(() => undefined);
  });
}
