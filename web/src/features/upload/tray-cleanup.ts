/** Removes leftovers of recordings from an earlier visit that are no longer on the tray. */
import type { TrayInternals } from "./tray-internals";
import { databaseKey, lockName, type TrayParts } from "./tray-items";
import type { StoredItem } from "./tray-storage";
import { fingerprint } from "./tus-uploads";

/** For discarded recordings, or those without a file; not if another tab has them. */
export function createCleanup(parts: TrayParts, internals: TrayInternals) {
  /** Whether the server has nothing of it any more. */
  const removeFromServer = async (owner: string, key: string, { recording }: StoredItem): Promise<boolean> => {
    const transfer = fingerprint(owner, key);
    const ids = recording ? [recording.id] : parts.findTransfers(transfer);
    try {
      await Promise.all(ids.map((id) => parts.removeUpload(id)));
    } catch {
      return false;
    }
    parts.forgetTransfer(transfer);
    return true;
  };

  return async (owner: string, key: string, stored: StoredItem) => {
    const mine = internals.generation;
    const release = await parts.lock(`${lockName(owner)}/${key}`);
    if (!release) {
      return;
    }
    await parts.database.remove(databaseKey(owner, key));
    // If the server is unreachable now, the removal is repeated on the next start: the mark stays until then.
    const over = !stored.gone || (await removeFromServer(owner, key, stored));
    // Meanwhile the session may have ended, or the same file was chosen again.
    if (over && mine === internals.generation && !internals.handles.has(key)) {
      parts.memory.remove(owner, key);
    }
    release();
  };
}
