/**
 * Defers the words of rows that appear while scrolling a long text, and other costly parts such as fields and
 * menus. Such a row shows its text at once; an element per word costs several times as much and is added when the
 * page is idle: a few rows at a time, so that no frame is delayed.
 */
import { flushSync } from "react-dom";
import { msUntilRest, noteScroll, watchScrolling } from "./scroll-rest";

const ROWS_AT_ONCE = 3;
/** Maximum delay in ms if the page is never idle. */
const IDLE_TIMEOUT_MS = 400;

const waiting = new Set<() => void>();
const listeners = new Set<() => void>();
let endWatch: (() => void) | null = null;
let planned = false;

/** Calls back when it is the row's turn; returns the cancel function. */
export function deferWords(show: () => void): () => void {
  if (waiting.size === 0) {
    endWatch = watchScrolling();
    // Rows appear because of scrolling; a short delay is not noticed on the first display.
    noteScroll();
  }
  waiting.add(show);
  plan();
  return () => leave(show);
}

/** Gives every row its words at once, when the user is about to point at one. */
export function renderWordsNow(): void {
  if (waiting.size > 0) {
    flushSync(() => take(waiting.size));
  }
}

/** Subscribes to rows getting their words; returns the unsubscribe function. */
export function onWordsRendered(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Called by a row whose words have been rendered. */
export function notifyWordsRendered(): void {
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
    if (msUntilRest() <= 0) {
      take(ROWS_AT_ONCE);
    }
    plan();
  };
  const delay = msUntilRest();
  if (delay > 0) {
    setTimeout(next, delay);
  } else if (typeof requestIdleCallback === "function") {
    requestIdleCallback(next, { timeout: IDLE_TIMEOUT_MS });
  } else {
    setTimeout(next, 16);
  }
}
