/** Internal state of the tray that is not shown. */
import type { ItemHandle } from "./tray-items";
import type { Tray, TrayItem } from "./tray-model";

/** How the parts of the tray update the shown state. */
export type TrayAccess = Pick<Tray, "setState" | "getState">;

/** Discarded items that can still be restored. */
export interface PendingRemoval {
  items: readonly TrayItem[];
  /** Those that were being uploaded. */
  moving: readonly string[];
  timer: ReturnType<typeof setTimeout>;
  onOver: () => void;
}

export interface TrayInternals {
  owner: string;
  handles: Map<string, ItemHandle>;
  /** Files known to this page. */
  files: Map<string, File>;
  removals: Set<PendingRemoval>;
  /** After the session expired: their owner, for browsers that cannot store files. */
  suspended: { owner: string; made: Map<string, ItemHandle> } | null;
  restoring: Promise<void> | null;
  /** Incremented when everything ends: after an `await` the tray may belong to another user. */
  generation: number;
}

export function emptyInternals(): TrayInternals {
  return {
    owner: "",
    handles: new Map(),
    files: new Map(),
    removals: new Set(),
    suspended: null,
    restoring: null,
    generation: 0,
  };
}

/** Removes a recording permanently. */
export async function destroy(internals: TrayInternals, key: string): Promise<void> {
  const handle = internals.handles.get(key);
  internals.handles.delete(key);
  internals.files.delete(key);
  await handle?.destroy();
}

/** Discarded recordings are deleted permanently. */
export async function finishRemoval(internals: TrayInternals, leaving: PendingRemoval): Promise<void> {
  clearTimeout(leaving.timer);
  internals.removals.delete(leaving);
  leaving.onOver();
  await Promise.all(leaving.items.map(({ key }) => destroy(internals, key)));
}

/** Restores a discarded recording; the others discarded with it are still deleted. */
export function restoreRemoved(internals: TrayInternals, key: string): TrayItem | null {
  for (const leaving of internals.removals) {
    const item = leaving.items.find((entry) => entry.key === key);
    if (item) {
      leaving.items = leaving.items.filter((entry) => entry !== item);
      if (leaving.items.length === 0) {
        void finishRemoval(internals, leaving);
      }
      return item;
    }
  }
  return null;
}

/** Makes the removal of this recording permanent, if it was pending. */
export async function finishRemovalOf(internals: TrayInternals, key: string): Promise<void> {
  for (const leaving of internals.removals) {
    if (leaving.items.some((item) => item.key === key)) {
      await finishRemoval(internals, leaving);
    }
  }
}
