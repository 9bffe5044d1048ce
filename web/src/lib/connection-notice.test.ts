import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createConnectionNotice, SAVED_MS } from "./connection-notice";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function start() {
  const store = createConnectionNotice();
  const told: (string | null)[] = [];
  store.subscribe(({ notice }) => told.push(notice));
  return { told, look: store.getState().update };
}

it("says once that all is saved, and then nothing", () => {
  const { told, look } = start();
  look(true, 0);
  look(true, 1);
  look(true, 2);
  look(false, 2);
  look(false, 1);
  look(false, 0);
  look(false, 0);
  vi.advanceTimersByTime(SAVED_MS);
  look(false, 0);
  expect(told).toEqual(["away", "saving", "saved", null]);
});

it("says nothing of saving when nothing waited", () => {
  const { told, look } = start();
  look(false, 3);
  look(true, 0);
  look(false, 0);
  expect(told).toEqual(["away", null]);
});

it("says it also when all went before anybody looked", () => {
  const { told, look } = start();
  look(true, 2);
  look(false, 0);
  expect(told).toEqual(["away", "saved"]);
});

it("is away again while it saves, and forgets nothing", () => {
  const { told, look } = start();
  look(true, 2);
  look(false, 2);
  look(true, 1);
  look(true, 0);
  look(false, 0);
  expect(told).toEqual(["away", "saving", "away", "saved"]);
});

it("what is typed after the return is not its news", () => {
  const { told, look } = start();
  look(true, 1);
  look(false, 0);
  look(false, 1);
  vi.advanceTimersByTime(SAVED_MS);
  look(false, 1);
  expect(told).toEqual(["away", "saved", null]);
});
