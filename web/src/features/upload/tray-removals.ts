/** Removes recordings from the tray: with a period for undo, or all at once when the session ends. */
import { UNDO_MS } from "@/rules/constants";
import { destroy, finishRemoval, type PendingRemoval, type TrayAccess, type TrayInternals } from "./tray-internals";
import { EMPTY_TRAY, needsUndo, type TrayItem, type TrayState } from "./tray-model";
import type { UploadStore } from "./upload-model";

export function createRemovals(held: TrayInternals, { setState: set, getState: get }: TrayAccess) {
  const stateOf = (item: TrayItem): TrayItem =>
    ({ ...item, state: held.handles.get(item.key)?.store.getState() ?? item.state }) as TrayItem;

  const undo = (leaving: PendingRemoval) => {
    if (!held.removals.delete(leaving)) {
      return;
    }
    clearTimeout(leaving.timer);
    leaving.onOver();
    for (const { key } of leaving.items) {
      held.handles.get(key)?.remember({ gone: false });
    }
    set(({ items, started, finished }) => ({
      items: [...leaving.items.map(stateOf), ...items],
      // Jobs already reported are not reported again when items are restored.
      started: finished ? [] : started,
      finished: false,
    }));
    for (const key of leaving.moving) {
      (held.handles.get(key)?.store as UploadStore | undefined)?.getState().resume();
    }
  };

  const remove: TrayState["remove"] = (keys, onOver) => {
    const items = get().items.filter(({ key, state }) => keys.includes(key) && !state.submitting);
    set((state) => ({ items: state.items.filter((item) => !items.includes(item)) }));
    if (!items.some(needsUndo)) {
      for (const { key } of items) {
        void destroy(held, key);
      }
      return null;
    }
    const moving: string[] = [];
    for (const item of items) {
      held.handles.get(item.key)?.remember({ gone: true });
      if (item.kind === "file" && item.state.phase !== "paused" && item.state.phase !== "ready") {
        moving.push(item.key);
        item.state.pause();
      }
    }
    const leaving: PendingRemoval = {
      items,
      moving,
      onOver,
      timer: setTimeout(() => void finishRemoval(held, leaving), UNDO_MS),
    };
    held.removals.add(leaving);
    return () => undo(leaving);
  };

  /** Makes pending removals permanent; `made` decides what happens to the items. */
  const empty = () => {
    held.generation += 1;
    for (const { timer, onOver } of held.removals) {
      clearTimeout(timer);
      onOver();
    }
    held.removals.clear();
    held.restoring = null;
    const made = held.handles;
    held.handles = new Map();
    set(EMPTY_TRAY);
    return made;
  };

  const suspend = () => {
    const made = empty();
    for (const { release } of made.values()) {
      release();
    }
    held.suspended = { owner: held.owner, made };
  };

  const clear = () => {
    const made = [...empty().values(), ...(held.suspended?.made.values() ?? [])];
    held.suspended = null;
    held.files.clear();
    for (const { abandon } of made) {
      abandon();
    }
  };

  return { remove, suspend, clear };
}
