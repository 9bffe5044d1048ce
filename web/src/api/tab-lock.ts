/**
 * Lets one tab at a time do a thing. Where the browser has no Web Locks (a page served over plain http from another
 * machine), a lease in local storage takes their place: good enough for tabs of one person, which rarely race.
 */
export type TabLock = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/** Gives the release, or null when another tab holds the lock. */
type TryTabLock = (name: string) => Promise<(() => void) | null>;

const SHORT_LEASE_MS = 10_000;
/** For work that goes on in hidden tabs, too: there browsers let a timer run only once a minute. */
const LONG_LEASE_MS = 90_000;
const POLL_MS = 40;

/** Waits for its turn; meant for work of a moment. */
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

/** Does not wait; the lock is held until it is released, for hours if need be. */
export function tryTabLock(locks: LockManager | undefined, storage: Storage): TryTabLock {
  if (!locks) return (name) => takeLease(storage, `${name}.lease`, LONG_LEASE_MS);
  /** Locks that this tab is letting go of: the browser takes a moment for it, and must not refuse this very tab. */
  const leaving = new Map<string, Promise<void>>();
  return async (name) => {
    await leaving.get(name);
    return new Promise((resolve, reject) => {
      const over: Promise<void> = locks
        .request(name, { ifAvailable: true }, async (lock) => {
          if (!lock) return resolve(null);
          await new Promise<void>((letGo) =>
            resolve(() => {
              leaving.set(name, over);
              letGo();
            }),
          );
        })
        .catch(reject);
    });
  };
}

/** A lease is renewed as long as it is held, and runs out by itself when its tab has crashed. */
async function takeLease(storage: Storage, key: string, lengthMs: number): Promise<(() => void) | null> {
  const mine = Math.random().toString(36).slice(2);
  const isMine = () => storage.getItem(key)?.startsWith(`${mine} `) ?? false;
  const write = () => storage.setItem(key, `${mine} ${Date.now() + lengthMs}`);
  if (!leaseIsFree(storage.getItem(key))) return null;
  write();
  // Another tab may have written at the same instant; the last writer wins.
  await pause(POLL_MS);
  if (!isMine()) return null;
  const heartbeat = setInterval(() => {
    // It is gone when this page was left and has come back out of the browser's cache.
    if (isMine() || leaseIsFree(storage.getItem(key))) write();
  }, lengthMs / 5);
  const leave = () => isMine() && storage.removeItem(key);
  // A reloaded page must not wait for what it held itself.
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
