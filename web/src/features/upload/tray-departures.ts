/** Removes recordings from the tray: with a period for undo, or all at once when the session ends. */
import { type Access, destroy, endOf, type Holding, type Leaving } from "./tray-holding";
import { canComeBack, EMPTY_TRAY, type TrayItem, type TrayState, UNDO_MS } from "./tray-model";
import type { UploadStore } from "./upload-model";

export function createDepartures(held: Holding, { setState: set, getState: get }: Access) {
  const stateOf = (item: TrayItem): TrayItem =>
    ({ ...item, state: held.made.get(item.key)?.store.getState() ?? item.state }) as TrayItem;

  const undo = (leaving: Leaving) => {
    if (!held.leaving.delete(leaving)) {
      return;
    }
    clearTimeout(leaving.timer);
    leaving.onOver();
    for (const { key } of leaving.items) {
      held.made.get(key)?.remember({ gone: false });
    }
    set(({ items, started, finished }) => ({
      items: [...leaving.items.map(stateOf), ...items],
      // Jobs already reported are not reported again when items are restored.
      started: finished ? [] : started,
      finished: false,
    }));
    for (const key of leaving.moving) {
      (held.made.get(key)?.store as UploadStore | undefined)?.getState().resume();
    }
  };

  const remove: TrayState["remove"] = (keys, onOver) => {
    const items = get().items.filter(({ key, state }) => keys.includes(key) && !state.submitting);
    set((state) => ({ items: state.items.filter((item) => !items.includes(item)) }));
    if (!items.some(canComeBack)) {
      for (const { key } of items) {
        void destroy(held, key);
      }
      return null;
    }
    const moving: string[] = [];
    for (const item of items) {
      held.made.get(item.key)?.remember({ gone: true });
      if (item.kind === "file" && item.state.phase !== "paused" && item.state.phase !== "ready") {
        moving.push(item.key);
        item.state.pause();
      }
    }
    const leaving: Leaving = { items, moving, onOver, timer: setTimeout(() => void endOf(held, leaving), UNDO_MS) };
    held.leaving.add(leaving);
    return () => undo(leaving);
  };

  /** Makes pending removals permanent; `made` decides what happens to the items. */
  const empty = () => {
    held.turn += 1;
    for (const { timer, onOver } of held.leaving) {
      clearTimeout(timer);
      onOver();
    }
    held.leaving.clear();
    held.restoring = null;
    const made = held.made;
    held.made = new Map();
    set(EMPTY_TRAY);
    return made;
  };

  const suspend = () => {
    const made = empty();
    for (const { release } of made.values()) {
      release();
    }
    held.aside = { owner: held.owner, made };
  };

  const clear = () => {
    const made = [...empty().values(), ...(held.aside?.made.values() ?? [])];
    held.aside = null;
    held.files.clear();
    for (const { abandon } of made) {
      abandon();
    }
  };

  return { remove, suspend, clear };
}
