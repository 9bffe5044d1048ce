/** Removes what an earlier visit has left of a recording that is on the tray no more. */
import type { Holding } from "./tray-holding";
import { lockName, shelfKey, type TrayParts } from "./tray-items";
import type { KeptItem } from "./tray-memory";
import { fingerprint } from "./tus-uploads";

/** For what was discarded and not had back, or whose file is nowhere; not where another tab has it. */
export function createSweep(parts: TrayParts, held: Holding) {
  /** Whether the server has nothing of it any more. */
  const removeThere = async (owner: string, key: string, { recording }: KeptItem): Promise<boolean> => {
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

  return async (owner: string, key: string, kept: KeptItem) => {
    const mine = held.turn;
    const release = await parts.lock(`${lockName(owner)}/${key}`);
    if (!release) {
      return;
    }
    await parts.shelf.remove(shelfKey(owner, key));
    // What the server cannot be told now it is told at the next start: the mark stays until then.
    const over = !kept.gone || (await removeThere(owner, key, kept));
    // Meanwhile the session may have ended, or the same was chosen again.
    if (over && mine === held.turn && !held.made.has(key)) {
      parts.memory.remove(owner, key);
    }
    release();
  };
}
