import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { tryTabLock } from "./tab-lock";

const tab = () => tryTabLock(undefined, localStorage);
const HOUR_MS = 3_600_000;

/** The lock is decided after a moment, by the clock of the test. */
async function take(lock = tab()) {
  const taken = lock("upload");
  await vi.advanceTimersByTimeAsync(100);
  return await taken;
}

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
});
afterEach(() => vi.useRealTimers());

it("is held by one tab for as long as it wants, then by the next", async () => {
  const release = await take();
  expect(release).not.toBeNull();
  expect(await take()).toBeNull();
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(await take()).toBeNull();
  release?.();
  expect(localStorage.length).toBe(0);
  expect(await take()).not.toBeNull();
});

it("goes to one of two tabs that ask at the same instant", async () => {
  const taken = Promise.all([tab()("upload"), tab()("upload")]);
  await vi.advanceTimersByTimeAsync(100);
  expect((await taken).filter((release) => release !== null)).toHaveLength(1);
});

it("comes free when its tab is reloaded or has crashed", async () => {
  await take();
  window.dispatchEvent(new Event("pagehide"));
  expect(localStorage.length).toBe(0);
  localStorage.setItem("upload.lease", `crashed ${Date.now() + 90_000}`);
  const other = tryTabLock(undefined, localStorage);
  expect(await take(other)).toBeNull();
});

/** Like a browser's, which frees a lock a moment after the work under it has ended. */
function lockManager(): LockManager {
  const taken = new Set<string>();
  const request = async (name: string, _options: LockOptions, work: (lock: Lock | null) => Promise<void>) => {
    if (taken.has(name)) return work(null);
    taken.add(name);
    await work({ name, mode: "exclusive" });
    await new Promise((freed) => setTimeout(freed, 20));
    taken.delete(name);
  };
  return { request, query: async () => ({}) } as unknown as LockManager;
}

it("is not refused to the tab that is just letting go of it", async () => {
  const locks = lockManager();
  const here = tryTabLock(locks, localStorage);
  const release = await here("upload");
  expect(release).not.toBeNull();
  expect(await here("upload")).toBeNull();
  release?.();
  const again = here("upload");
  await vi.advanceTimersByTimeAsync(50);
  expect(await again).not.toBeNull();
  expect(await tryTabLock(locks, localStorage)("upload")).toBeNull();
});
