/** Removes recordings from the tray: with a period for undo, or all at once when the session ends. */
import { UNDO_MS } from "@/rules/constants";
import { destroy, finishRemoval, type PendingRemoval, type TrayAccess, type TrayInternals } from "./tray-internals";
import { EMPTY_TRAY, needsUndo, type TrayItem, type TrayState } from "./tray-model";
import type { UploadStore } from "./upload-model";

export function createRemovals(internals: TrayInternals, { setState: set, getState: get }: TrayAccess) {
  const stateOf = (item: TrayItem): TrayItem =>
    ({ ...item, state: internals.handles.get(item.key)?.store.getState() ?? item.state }) as TrayItem;

  const undo = (leaving: PendingRemoval) => {
    if (!internals.removals.delete(leaving)) {
      return;
    }
    clearTimeout(leaving.timer);
    leaving.onOver();
    for (const { key } of leaving.items) {
      internals.handles.get(key)?.remember({ gone: false });
    }
    set(({ items, started, finished }) => ({
      items: [...leaving.items.map(stateOf), ...items],
      // Jobs already reported are not reported again when items are restored.
      started: finished ? [] : started,
      finished: false,
    }));
    for (const key of leaving.moving) {
      (internals.handles.get(key)?.store as UploadStore | undefined)?.getState().resume();
    }
  };

  const remove: TrayState["remove"] = (keys, onOver) => {
    const items = get().items.filter(({ key, state }) => keys.includes(key) && !state.submitting);
    set((state) => ({ items: state.items.filter((item) => !items.includes(item)) }));
    if (!items.some(needsUndo)) {
      for (const { key } of items) {
        void destroy(internals, key);
      }
      return null;
    }
    const moving: string[] = [];
    for (const item of items) {
      internals.handles.get(item.key)?.remember({ gone: true });
      if (item.kind === "file" && item.state.phase !== "paused" && item.state.phase !== "ready") {
        moving.push(item.key);
        item.state.pause();
      }
    }
    const leaving: PendingRemoval = {
      items,
      moving,
      onOver,
      timer: setTimeout(() => void finishRemoval(internals, leaving), UNDO_MS),
    };
    internals.removals.add(leaving);
    return () => undo(leaving);
  };

  /** Makes pending removals permanent and empties the list; returns the handles of its items. */
  const empty = () => {
    internals.generation += 1;
    for (const { timer, onOver } of internals.removals) {
      clearTimeout(timer);
      onOver();
    }
    internals.removals.clear();
    internals.restoring = null;
    const handles = internals.handles;
    internals.handles = new Map();
    set(EMPTY_TRAY);
    return handles;
  };

  const suspend = () => {
    const handles = empty();
    for (const { release } of handles.values()) {
      release();
    }
    internals.suspended = { owner: internals.owner, made: handles };
  };

  const clear = () => {
    const handles = [...empty().values(), ...(internals.suspended?.made.values() ?? [])];
    internals.suspended = null;
    internals.files.clear();
    for (const { abandon } of handles) {
      abandon();
    }
  };

  return { remove, suspend, clear };
}
