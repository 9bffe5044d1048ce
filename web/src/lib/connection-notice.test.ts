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

it("reports once that everything is saved, then nothing", () => {
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

it("does not mention saving if nothing was pending", () => {
  const { told, look } = start();
  look(false, 3);
  look(true, 0);
  look(false, 0);
  expect(told).toEqual(["away", null]);
});

it("also reports it if everything was saved before the next update", () => {
  const { told, look } = start();
  look(true, 2);
  look(false, 0);
  expect(told).toEqual(["away", "saved"]);
});

it("remembers pending changes if the connection is lost again while saving", () => {
  const { told, look } = start();
  look(true, 2);
  look(false, 2);
  look(true, 1);
  look(true, 0);
  look(false, 0);
  expect(told).toEqual(["away", "saving", "away", "saved"]);
});

it("does not count changes typed after the connection returned", () => {
  const { told, look } = start();
  look(true, 1);
  look(false, 0);
  look(false, 1);
  vi.advanceTimersByTime(SAVED_MS);
  look(false, 1);
  expect(told).toEqual(["away", "saved", null]);
});
