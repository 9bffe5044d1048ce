/**
 * The words of rows that come while one scrolls through a long text, and other costly parts of rows, such as fields and
 * menus. Such a row shows its text at once; an element for each word costs several times as much, and comes when the page
 * is at rest: a few rows at a time, so that no frame waits.
 */
import { flushSync } from "react-dom";
import { stir, untilRest, watchRest } from "./page-rest";

const ROWS_AT_ONCE = 3;
/** They come by then even when the page is never idle, in ms. */
const PATIENCE_MS = 400;

const waiting = new Set<() => void>();
const listeners = new Set<() => void>();
let endWatch: (() => void) | null = null;
let planned = false;

/** Calls back when it is the row's turn; returns how to call it off. */
export function awaitWords(show: () => void): () => void {
  if (waiting.size === 0) {
    endWatch = watchRest();
    // A row comes because of a scroll; at the first sight of the text a moment more is not felt.
    stir();
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
    endWatch?.();
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
    if (untilRest() <= 0) {
      take(ROWS_AT_ONCE);
    }
    plan();
  };
  const rest = untilRest();
  if (rest > 0) {
    setTimeout(next, rest);
  } else if (typeof requestIdleCallback === "function") {
    requestIdleCallback(next, { timeout: PATIENCE_MS });
  } else {
    setTimeout(next, 16);
  }
}
