/** One tab at a time may go on with a remembered upload: two tabs that send the same bytes would get in each other's way. */

/** Gives the release, or null when another tab holds the lock. Without the Web Locks API every tab gets it. */
export async function tryTabLock(name: string): Promise<(() => void) | null> {
  if (!globalThis.navigator?.locks) {
    return () => {};
  }
  return await new Promise((resolve) => {
    void navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
      if (!lock) {
        resolve(null);
        return;
      }
      await new Promise<void>((release) => resolve(release));
    });
  });
}
