/**
 * This tab's name in the journal: undo reverts only edits made under it. A duplicated tab copies the original's
 * session storage and so its name; the lock decides which of the two keeps it.
 */
import { renewTabClient, tabClient } from "@/lib/tab-client";

const KEY = "slovo.editor";
const lockOf = (client: string) => `${KEY}.${client}`;

let claimed: Promise<string> | null = null;

/** The name, stable while the tab is open and through its reloads. */
export function claimClient(): Promise<string> {
  claimed ??= claim();
  return claimed;
}

async function claim(): Promise<string> {
  const known = tabClient();
  if (await hold(known)) {
    return known;
  }
  const client = renewTabClient();
  await hold(client);
  return client;
}

/**
 * Holds the lock on the name while the page is open; false if another tab has it. Without locks (plain http) it always
 * succeeds.
 */
function hold(client: string): Promise<boolean> {
  if (!navigator.locks) {
    return Promise.resolve(true);
  }
  return new Promise((resolve) => {
    navigator.locks
      .request(lockOf(client), { ifAvailable: true }, (lock) => {
        resolve(lock !== null);
        return lock === null ? undefined : new Promise<void>(() => {});
      })
      .catch(() => resolve(true));
  });
}

/** The names of all open tabs of this browser. */
export async function openClients(): Promise<ReadonlySet<string>> {
  const locks = (await navigator.locks?.query())?.held ?? [];
  return new Set(locks.flatMap(({ name }) => (name?.startsWith(`${KEY}.`) ? [name.slice(KEY.length + 1)] : [])));
}
