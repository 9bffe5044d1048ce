import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createAutosave, type SaveState } from "./autosave";

interface Form {
  a?: number;
  b?: number;
}

/** An autosave whose requests are answered by the test. */
function start() {
  const states: SaveState[] = [];
  const saves: { change: Form; leaving: boolean; answer: (error?: Error) => Promise<void> }[] = [];
  const autosave = createAutosave<Form>({
    delayMs: 1000,
    shownMs: 2000,
    onState: (state) => states.push(state),
    save: (change, leaving) =>
      new Promise<void>((resolve, reject) => {
        const answer = async (error?: Error) => {
          if (error) reject(error);
          else resolve();
          await vi.advanceTimersByTimeAsync(0);
        };
        saves.push({ change, leaving, answer });
      }),
  });
  return { autosave, states, saves, last: () => states.at(-1) };
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it("saves once, a second after the last change, and shows that for two seconds", async () => {
  const { autosave, states, saves } = start();
  autosave.change({ a: 1 });
  await vi.advanceTimersByTimeAsync(900);
  autosave.change({ a: 2, b: 3 });
  await vi.advanceTimersByTimeAsync(999);
  expect(saves).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(saves.map(({ change }) => change)).toEqual([{ a: 2, b: 3 }]);
  await saves[0]?.answer();
  expect(states).toEqual(["saving", "saved"]);
  await vi.advanceTimersByTimeAsync(2000);
  expect(states).toEqual(["saving", "saved", "idle"]);
});

it("keeps failed changes, and sends them with newer ones on a retry", async () => {
  const { autosave, saves, last } = start();
  autosave.change({ a: 1, b: 1 });
  autosave.flush();
  autosave.change({ b: 2 });
  await saves[0]?.answer(new Error("no"));
  expect(last()).toBe("error");
  autosave.flush();
  expect(saves[1]?.change).toEqual({ a: 1, b: 2 });
  await saves[1]?.answer();
  expect(last()).toBe("saved");
  await vi.advanceTimersByTimeAsync(5000);
  expect(saves).toHaveLength(2);
});

it("is not saved while newer changes are pending", async () => {
  const { autosave, saves, last } = start();
  autosave.change({ a: 1 });
  autosave.flush();
  autosave.change({ b: 1 });
  autosave.flush();
  await saves[0]?.answer(new Error("no"));
  expect(last()).toBe("saving");
  await saves[1]?.answer();
  expect(last()).toBe("error");
});

it("saves at once when the page is left, unless nothing was changed", () => {
  const { autosave, saves } = start();
  autosave.flush(true);
  expect(saves).toEqual([]);
  autosave.change({ a: 1 });
  autosave.flush(true);
  expect(saves[0]).toMatchObject({ change: { a: 1 }, leaving: true });
});

it("drops pending changes and late responses", async () => {
  const { autosave, saves, last } = start();
  autosave.change({ a: 1 });
  autosave.flush();
  autosave.change({ b: 1 });
  autosave.forget();
  await saves[0]?.answer(new Error("no"));
  await vi.advanceTimersByTimeAsync(5000);
  autosave.flush();
  expect(saves).toHaveLength(1);
  expect(last()).toBe("idle");
});

it("resolves a flush when it has ended, also after a failure", async () => {
  const { autosave, saves } = start();
  await autosave.flush();
  autosave.change({ a: 1 });
  const over = vi.fn();
  void autosave.flush().then(over);
  await vi.advanceTimersByTimeAsync(0);
  expect(over).not.toHaveBeenCalled();
  await saves[0]?.answer(new Error("no"));
  expect(over).toHaveBeenCalledOnce();
});
