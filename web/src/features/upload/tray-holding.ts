/** Internal state of the tray that is not shown. */
import type { Made } from "./tray-items";
import type { Tray, TrayItem } from "./tray-model";

/** How the parts of the tray update the shown state. */
export type Access = Pick<Tray, "setState" | "getState">;

/** Discarded items that can still be restored. */
export interface Leaving {
  items: readonly TrayItem[];
  /** Those that were being uploaded. */
  moving: readonly string[];
  timer: ReturnType<typeof setTimeout>;
  onOver: () => void;
}

export interface Holding {
  owner: string;
  made: Map<string, Made>;
  /** Files known to this page. */
  files: Map<string, File>;
  leaving: Set<Leaving>;
  /** After the session expired: their owner, for browsers that cannot store files. */
  aside: { owner: string; made: Map<string, Made> } | null;
  restoring: Promise<void> | null;
  /** Incremented when everything ends: after an `await` the tray may belong to another user. */
  turn: number;
}

export function emptyHolding(): Holding {
  return {
    owner: "",
    made: new Map(),
    files: new Map(),
    leaving: new Set(),
    aside: null,
    restoring: null,
    turn: 0,
  };
}

/** Removes a recording permanently. */
export async function destroy(held: Holding, key: string): Promise<void> {
  const made = held.made.get(key);
  held.made.delete(key);
  held.files.delete(key);
  await made?.destroy();
}

/** Discarded recordings are deleted permanently. */
export async function endOf(held: Holding, leaving: Leaving): Promise<void> {
  clearTimeout(leaving.timer);
  held.leaving.delete(leaving);
  leaving.onOver();
  await Promise.all(leaving.items.map(({ key }) => destroy(held, key)));
}

/** Restores a discarded recording; the others discarded with it are still deleted. */
export function takeBack(held: Holding, key: string): TrayItem | null {
  for (const leaving of held.leaving) {
    const item = leaving.items.find((one) => one.key === key);
    if (item) {
      leaving.items = leaving.items.filter((one) => one !== item);
      if (leaving.items.length === 0) {
        void endOf(held, leaving);
      }
      return item;
    }
  }
  return null;
}

/** Makes the removal of this recording permanent, if it was pending. */
export async function endLeaving(held: Holding, key: string): Promise<void> {
  for (const leaving of held.leaving) {
    if (leaving.items.some((item) => item.key === key)) {
      await endOf(held, leaving);
    }
  }
}
