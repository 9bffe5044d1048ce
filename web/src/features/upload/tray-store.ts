/**
 * The tray of the page: several recordings, each with its own progress towards a job. It exists outside of the page's
 * components, so that uploads continue on other pages, and is cleared when the session ends.
 */
import { createStore } from "zustand/vanilla";
import { createAdditions } from "./tray-additions";
import { createBatch } from "./tray-batch";
import { emptyInternals } from "./tray-internals";
import type { ItemEvents, TrayParts } from "./tray-items";
import { EMPTY_TRAY, isLive, type Tray, type TrayItem, type TrayState } from "./tray-model";
import { createRemovals } from "./tray-removals";
import type { PendingJob, UploadState } from "./upload-model";

/** Interval for showing progress, in ms; other changes are shown at once. */
const PROGRESS_MS = 250;

/** Tells whether a change is only a small progress soon after the last one. */
function createPacer() {
  let shownAt = 0;
  return (before: PendingJob | undefined, after: PendingJob): boolean => {
    const progressed =
      before !== undefined &&
      "phase" in before &&
      "phase" in after &&
      before.phase === "uploading" &&
      after.phase === "uploading";
    const little = progressed && before.queued === after.queued && (before as UploadState).sent > 0;
    if (little && Date.now() - shownAt < PROGRESS_MS) {
      return true;
    }
    shownAt = Date.now();
    return false;
  };
}

export function createTray(parts: TrayParts): Tray {
  const internals = emptyInternals();

  return createStore<TrayState>()((set, get, api) => {
    const change = (key: string, part: Partial<TrayItem>) =>
      set(({ items }) => ({ items: items.map((item) => (item.key === key ? ({ ...item, ...part } as TrayItem) : item)) }));

    const batch = createBatch(api, parts.listener);

    const eventsOf = (key: string, isTooSoon = createPacer()): ItemEvents => ({
      onChange: () => {
        const state = internals.handles.get(key)?.store.getState();
        if (state && !isTooSoon(get().items.find((item) => item.key === key)?.state, state)) {
          change(key, { state } as Partial<TrayItem>);
        }
      },
      onStarted: (jobId) => {
        internals.handles.get(key)?.remember(null);
        internals.handles.get(key)?.release();
        internals.handles.delete(key);
        internals.files.delete(key);
        batch.onStarted(key, jobId);
      },
      onTrouble: batch.onTrouble,
    });

    const arrivals = createAdditions(parts, internals, api, eventsOf);
    const { remove, suspend, clear } = createRemovals(internals, api);

    return {
      ...EMPTY_TRAY,
      addFiles: arrivals.addFiles,
      addUrl: arrivals.addUrl,
      addRecording: arrivals.addRecording,
      restore: (owner) => {
        internals.restoring ??= arrivals.restore(owner).finally(() => {
          internals.restoring = null;
        });
        return internals.restoring;
      },
      remove: (keys, onOver) => {
        const undo = remove(keys, onOver);
        batch.settle();
        return undo;
      },
      suspend,
      clear,
      setSeparate: (separate) => {
        set({ separate });
        parts.memory.keepSeparate(internals.owner, separate);
      },
      setOwn: (key, own) => {
        change(key, { own });
        internals.handles.get(key)?.remember({ own });
      },
      setTrack: (key, track) => {
        change(key, { track });
        internals.handles.get(key)?.remember({ track });
        const state = get().items.find((item) => item.key === key)?.state;
        // Delayed jobs start with the current settings.
        if (state?.queued) {
          state.start({ ...state.queued, audioTrack: track });
        }
      },
      noteDuration: (key, readDuration) => change(key, { readDuration } as Partial<TrayItem>),
      start: (orderOf) => {
        // Failed items have been seen by now.
        remove(
          get()
            .items.filter((item) => !isLive(item))
            .map(({ key }) => key),
          () => {},
        );
        set({ finished: false });
        for (const item of get().items) {
          item.state.start(orderOf(item));
        }
      },
      requeue: (orderOf) => {
        for (const item of get().items.filter(({ state }) => state.queued !== null)) {
          item.state.start(orderOf(item));
        }
      },
      unqueue: () => {
        for (const { state } of get().items) {
          state.unqueue();
        }
        batch.settle();
      },
      forgetJobErrors: () => {
        for (const { state } of get().items) {
          if (state.jobError !== null) {
            state.forgetJobError();
          }
        }
      },
      forgetFinished: () => set({ finished: false, started: get().finished ? [] : get().started }),
    };
  });
}
