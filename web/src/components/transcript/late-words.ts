/**
 * The words of rows that come while one scrolls through a long text. Such a row shows its text at once; an element for each
 * word costs several times as much, and comes when the page is at rest: a few rows at a time, so that no frame waits.
 */
import { flushSync } from "react-dom";

/** Nobody has scrolled for so long, in ms. */
const REST_MS = 120;
const ROWS_AT_ONCE = 3;
/** They come by then even when the page is never idle, in ms. */
const PATIENCE_MS = 400;

const waiting = new Set<() => void>();
const listeners = new Set<() => void>();
let scrolledAt = Number.NEGATIVE_INFINITY;
let planned = false;

const onScroll = () => {
  scrolledAt = performance.now();
};

/** Calls back when it is the row's turn; returns how to call it off. */
export function awaitWords(show: () => void): () => void {
  if (waiting.size === 0) {
    window.addEventListener("scroll", onScroll, { passive: true });
    // A row comes because of a scroll; at the first sight of the text a moment more is not felt.
    onScroll();
  }
  waiting.add(show);
  plan();
  return () => leave(show);
}

/** Gives every row its words at once: somebody is about to point at one. */
export function wordsNow(): void {
  if (waiting.size > 0) {
    flushSync(() => take(waiting.size));
  }
}

/** Hears that words have come; returns how to stop. */
export function onWords(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A row says that its words are on the page. */
export function tellWords(): void {
  for (const listener of listeners) {
    listener();
  }
}

function leave(show: () => void): void {
  if (waiting.delete(show) && waiting.size === 0) {
    window.removeEventListener("scroll", onScroll);
  }
}

function take(count: number): void {
  for (const show of [...waiting].slice(0, count)) {
    leave(show);
    show();
  }
}

function plan(): void {
  if (planned || waiting.size === 0) {
    return;
  }
  planned = true;
  const next = () => {
    planned = false;
    if (performance.now() - scrolledAt >= REST_MS) {
      take(ROWS_AT_ONCE);
    }
    plan();
  };
  const rest = scrolledAt + REST_MS - performance.now();
  if (rest > 0) {
    setTimeout(next, rest);
  } else if (typeof requestIdleCallback === "function") {
    requestIdleCallback(next, { timeout: PATIENCE_MS });
  } else {
    setTimeout(next, 16);
  }
}
