// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { awaitWords, onWords, tellWords, wordsNow } from "./late-words";

beforeEach(() => {
  vi.useFakeTimers();
  // As in browsers without requestIdleCallback.
  vi.stubGlobal("requestIdleCallback", undefined);
});

afterEach(() => {
  wordsNow();
  vi.runAllTimers();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("gives rows their words a few at a time, in their order", () => {
  const come: number[] = [];
  for (let row = 0; row < 7; row += 1) {
    awaitWords(() => come.push(row));
  }
  expect(come).toEqual([]);
  vi.advanceTimersToNextTimer();
  expect(come.length).toBeGreaterThan(0);
  expect(come.length).toBeLessThan(7);
  vi.runAllTimers();
  expect(come).toEqual([0, 1, 2, 3, 4, 5, 6]);
});

it("waits while somebody scrolls, and for nobody who has gone", () => {
  const row = vi.fn();
  const gone = vi.fn();
  awaitWords(row);
  const leave = awaitWords(gone);
  for (let step = 0; step < 20; step += 1) {
    window.dispatchEvent(new Event("scroll"));
    vi.advanceTimersByTime(50);
  }
  expect(row).not.toHaveBeenCalled();
  leave();
  vi.runAllTimers();
  expect(row).toHaveBeenCalledOnce();
  expect(gone).not.toHaveBeenCalled();
});

it("gives all of them at once to who is about to point at one", () => {
  const rows = Array.from({ length: 9 }, () => vi.fn());
  rows.forEach(awaitWords);
  wordsNow();
  for (const row of rows) {
    expect(row).toHaveBeenCalledOnce();
  }
});

it("tells who listens, and only them", () => {
  const listener = vi.fn();
  const stop = onWords(listener);
  tellWords();
  stop();
  tellWords();
  expect(listener).toHaveBeenCalledOnce();
});
