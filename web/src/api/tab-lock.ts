import { TAB_LEASE_MS } from "@/rules/constants";

/**
 * A lock between tabs. If the browser has no Web Locks (a page served over plain http from another machine), a lease in
 * local storage is used instead: good enough for tabs of one person, which rarely race.
 */
export type TabLock = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/** Returns the release function, or null if another tab holds the lock. */
type TryTabLock = (name: string) => Promise<(() => void) | null>;

const SHORT_LEASE_MS = 10_000;
const POLL_MS = 40;

/** Waits for the lock; intended for short work. */
export function tabLock(locks: LockManager | undefined, storage: Storage): TabLock {
  if (locks) return (name, work) => locks.request(name, work) as Promise<Awaited<ReturnType<typeof work>>>;
  return async (name, work) => {
    const key = `${name}.lease`;
    let release = await takeLease(storage, key, SHORT_LEASE_MS);
    while (release === null) {
      await pause(POLL_MS);
      release = await takeLease(storage, key, SHORT_LEASE_MS);
    }
    try {
      return await work();
    } finally {
      release();
    }
  };
}

/** Does not wait; the lock is held until it is released, possibly for hours. */
export function tryTabLock(locks: LockManager | undefined, storage: Storage): TryTabLock {
  if (!locks) return (name) => takeLease(storage, `${name}.lease`, TAB_LEASE_MS);
  /** Locks that this tab is releasing: the browser needs a moment, and must not refuse the same tab meanwhile. */
  const leaving = new Map<string, Promise<void>>();
  return async (name) => {
    await leaving.get(name);
    return new Promise((resolve, reject) => {
      const over: Promise<void> = locks
        .request(name, { ifAvailable: true }, async (lock) => {
          if (!lock) return resolve(null);
          await new Promise<void>((releaseLock) =>
            resolve(() => {
              leaving.set(name, over);
              releaseLock();
            }),
          );
        })
        .catch(reject);
    });
  };
}

/** A lease is renewed while it is held, and expires if its tab has crashed. */
async function takeLease(storage: Storage, key: string, lengthMs: number): Promise<(() => void) | null> {
  const mine = Math.random().toString(36).slice(2);
  const isMine = () => storage.getItem(key)?.startsWith(`${mine} `) ?? false;
  const write = () => storage.setItem(key, `${mine} ${Date.now() + lengthMs}`);
  if (!leaseIsFree(storage.getItem(key))) return null;
  write();
  // Another tab may have written at the same time; the last write wins.
  await pause(POLL_MS);
  if (!isMine()) return null;
  const heartbeat = setInterval(() => {
    // The lease may be gone if this page was in the back/forward cache.
    if (isMine() || leaseIsFree(storage.getItem(key))) write();
  }, lengthMs / 5);
  const leave = () => isMine() && storage.removeItem(key);
  // After a reload, the page must not wait for its own lease.
  window.addEventListener("pagehide", leave);
  return () => {
    clearInterval(heartbeat);
    window.removeEventListener("pagehide", leave);
    leave();
  };
}

function leaseIsFree(lease: string | null): boolean {
  const until = Number(lease?.split(" ")[1]);
  return !(until > Date.now());
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
