/**
 * Lets one tab at a time do a thing. Where the browser has no Web Locks (a page served over plain http from another
 * machine), a lease in local storage takes their place: good enough for tabs of one person, which rarely race.
 */
export type TabLock = <T>(name: string, work: () => Promise<T>) => Promise<T>;

const LEASE_MS = 10_000;
const POLL_MS = 40;

export function tabLock(locks: LockManager | undefined, storage: Storage): TabLock {
  if (locks) return (name, work) => locks.request(name, work) as Promise<Awaited<ReturnType<typeof work>>>;
  return (name, work) => withLease(storage, `${name}.lease`, work);
}

async function withLease<T>(storage: Storage, key: string, work: () => Promise<T>): Promise<T> {
  const mine = Math.random().toString(36).slice(2);
  for (;;) {
    if (leaseIsFree(storage.getItem(key))) {
      storage.setItem(key, `${mine} ${Date.now() + LEASE_MS}`);
      // Another tab may have written at the same instant; whoever wrote last keeps it.
      await pause(POLL_MS);
      if (storage.getItem(key)?.startsWith(`${mine} `)) break;
    }
    await pause(POLL_MS);
  }
  try {
    return await work();
  } finally {
    if (storage.getItem(key)?.startsWith(`${mine} `)) storage.removeItem(key);
  }
}

function leaseIsFree(lease: string | null): boolean {
  const until = Number(lease?.split(" ")[1]);
  return !(until > Date.now());
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
