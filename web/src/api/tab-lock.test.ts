import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { tryTabLock } from "./tab-lock";

const tab = () => tryTabLock(undefined, localStorage);
const HOUR_MS = 3_600_000;

/** Advances the fake clock until the lock is decided. */
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

it("is held by one tab until it is released, then by the next", async () => {
  const release = await take();
  expect(release).not.toBeNull();
  expect(await take()).toBeNull();
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(await take()).toBeNull();
  release?.();
  expect(localStorage.length).toBe(0);
  expect(await take()).not.toBeNull();
});

it("is given to one of two tabs that request it at the same time", async () => {
  const taken = Promise.all([tab()("upload"), tab()("upload")]);
  await vi.advanceTimersByTimeAsync(100);
  expect((await taken).filter((release) => release !== null)).toHaveLength(1);
});

it("is released when its tab is reloaded or has crashed", async () => {
  await take();
  window.dispatchEvent(new Event("pagehide"));
  expect(localStorage.length).toBe(0);
  localStorage.setItem("upload.lease", `crashed ${Date.now() + 90_000}`);
  const other = tryTabLock(undefined, localStorage);
  expect(await take(other)).toBeNull();
});

/** Like a browser, releases a lock shortly after its callback has ended. */
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

it("can be taken again by the tab that is just releasing it", async () => {
  const locks = lockManager();
  const tryLock = tryTabLock(locks, localStorage);
  const release = await tryLock("upload");
  expect(release).not.toBeNull();
  expect(await tryLock("upload")).toBeNull();
  release?.();
  const secondTry = tryLock("upload");
  await vi.advanceTimersByTimeAsync(50);
  expect(await secondTry).not.toBeNull();
  expect(await tryTabLock(locks, localStorage)("upload")).toBeNull();
});
