// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { deferWords, notifyWordsRendered, onWordsRendered, renderWordsNow } from "./deferred-words";

beforeEach(() => {
  vi.useFakeTimers();
  // As in browsers without requestIdleCallback.
  vi.stubGlobal("requestIdleCallback", undefined);
});

afterEach(() => {
  renderWordsNow();
  vi.runAllTimers();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("renders the words of a few rows at a time, in order", () => {
  const come: number[] = [];
  for (let row = 0; row < 7; row += 1) {
    deferWords(() => come.push(row));
  }
  expect(come).toEqual([]);
  vi.advanceTimersToNextTimer();
  expect(come.length).toBeGreaterThan(0);
  expect(come.length).toBeLessThan(7);
  vi.runAllTimers();
  expect(come).toEqual([0, 1, 2, 3, 4, 5, 6]);
});

it("waits while the page scrolls, and skips unmounted rows", () => {
  const row = vi.fn();
  const removed = vi.fn();
  deferWords(row);
  const leave = deferWords(removed);
  for (let step = 0; step < 20; step += 1) {
    window.dispatchEvent(new Event("scroll"));
    vi.advanceTimersByTime(50);
  }
  expect(row).not.toHaveBeenCalled();
  leave();
  vi.runAllTimers();
  expect(row).toHaveBeenCalledOnce();
  expect(removed).not.toHaveBeenCalled();
});

it("renders all words at once before a pointer action", () => {
  const rows = Array.from({ length: 9 }, () => vi.fn());
  rows.forEach(deferWords);
  renderWordsNow();
  for (const row of rows) {
    expect(row).toHaveBeenCalledOnce();
  }
});

it("notifies subscribers until they unsubscribe", () => {
  const listener = vi.fn();
  const stop = onWordsRendered(listener);
  notifyWordsRendered();
  stop();
  notifyWordsRendered();
  expect(listener).toHaveBeenCalledOnce();
});
