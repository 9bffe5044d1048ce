import { act } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { secondsUntil, spokenSeconds, useCountdown } from "./countdown";

it("returns whole seconds, at least 0", () => {
  expect([60_000, 59_999, 1, 0, -5_000].map((at) => secondsUntil(at, 0))).toEqual([60, 60, 1, 0, 0]);
});

it("announces half minutes", () => {
  expect([60, 59, 31, 30, 1, 0].map(spokenSeconds)).toEqual([60, 60, 60, 30, 30, 0]);
});

function Count({ at }: { at: number }) {
  return <output>{useCountdown(at)}</output>;
}

beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.useFakeTimers({ now: 1_000_000 });
});
afterEach(() => void vi.useRealTimers());

it("counts down to 0, and restarts with a new time", async () => {
  const container = document.createElement("div");
  const root = createRoot(container);
  const show = (at: number) => act(async () => root.render(<Count at={at} />));
  const pass = (ms: number) => act(async () => vi.advanceTimersByTime(ms));
  await show(Date.now() + 3_000);
  expect(container.textContent).toBe("3");
  await pass(2_000);
  expect(container.textContent).toBe("1");
  await pass(5_000);
  expect(container.textContent).toBe("0");
  expect(vi.getTimerCount()).toBe(0);
  await show(Date.now() + 60_000);
  expect(container.textContent).toBe("60");
  // The device was asleep: the clock is far ahead after one tick.
  vi.setSystemTime(Date.now() + 58_000);
  await pass(1_000);
  expect(container.textContent).toBe("1");
  await act(async () => root.unmount());
  expect(vi.getTimerCount()).toBe(0);
});
