/** Adds recordings to the tray: chosen now, or restored from an earlier visit. */
import { allowedChoice } from "@/domain/settings/settings-draft";
import { MAX_OPEN_UPLOADS } from "@/rules/constants";
import { fileViolations } from "./accepted-types";
import { createCleanup } from "./tray-cleanup";
import { finishRemovalOf, restoreRemoved, type TrayAccess, type TrayInternals } from "./tray-internals";
import {
  createReadyItem,
  createUploadItem,
  type ItemEvents,
  type ItemHandle,
  keyOfRecording,
  keyOfUrl,
  lockName,
  type TrayParts,
} from "./tray-items";
import { isLive, type NotAddedReason, type Recording, type RefusedRecording, type TrayItem, type TrayState } from "./tray-model";
import type { StoredItem } from "./tray-storage";
import { fileKey } from "./tus-uploads";
import type { UploadStore } from "./upload-model";

export function createAdditions(
  parts: TrayParts,
  internals: TrayInternals,
  { setState: set, getState: get }: TrayAccess,
  eventsOf: (key: string) => ItemEvents,
) {
  const { memory } = parts;

  const show = (item: TrayItem) => set(({ items }) => ({ items: [...items.filter(({ key }) => key !== item.key), item] }));

  const sweep = createCleanup(parts, internals);

  const common = (key: string, name: string) => {
    const stored = memory.item(internals.owner, key);
    return { key, name, own: allowedChoice(stored?.own), track: stored?.track ?? null };
  };

  const showFile = (key: string, store: UploadStore) => {
    const state = store.getState();
    const file = internals.files.get(key) ?? null;
    show({ kind: "file", ...common(key, file?.name ?? state.file?.name ?? ""), file, readDuration: null, state });
  };

  const uploadOf = (key: string): ItemHandle<UploadStore> => {
    const handle = createUploadItem(parts, internals.owner, key, eventsOf(key), (file) => internals.files.set(key, file));
    internals.handles.set(key, handle);
    return handle;
  };

  const isListed = (key: string) => get().items.some((item) => item.key === key && isLive(item));

  const addFile = async (file: File): Promise<RefusedRecording | null> => {
    const { name } = file;
    const violations = fileViolations(file);
    if (violations.length > 0) {
      return { name, reason: violations };
    }
    const key = fileKey(file);
    if (isListed(key)) {
      return { name, reason: "again" };
    }
    if (get().items.filter(isLive).length >= MAX_OPEN_UPLOADS) {
      return { name, reason: "full" };
    }
    const mine = internals.generation;
    await finishRemovalOf(internals, key);
    if (mine === internals.generation) {
      internals.files.set(key, file);
      const { store } = uploadOf(key);
      const started = store.getState().begin(internals.owner, file);
      showFile(key, store);
      await started;
    }
    return null;
  };

  /** Reports after the tray was emptied are ignored: it may belong to another user now. */
  const eventsOfTurn = (key: string): ItemEvents => {
    const mine = internals.generation;
    const { onChange, onStarted, onTrouble } = eventsOf(key);
    return {
      onChange: () => mine === internals.generation && onChange(),
      onStarted: (jobId) => mine === internals.generation && onStarted(jobId),
      onTrouble: (what) => mine === internals.generation && onTrouble(what),
    };
  };

  /** Adds a URL or voice recording; returns false and does nothing if another tab has it. */
  const addReady = async (key: string, { address, recording }: StoredItem): Promise<boolean> => {
    const mine = internals.generation;
    const release = await parts.lock(`${lockName(internals.owner)}/${key}`);
    if (!release) {
      return false;
    }
    if (mine !== internals.generation) {
      release();
      return true;
    }
    if (address) {
      const handle = createReadyItem(parts, internals.owner, key, { url: address.url }, eventsOfTurn(key), release);
      internals.handles.set(key, handle);
      const name = address.found.title ?? address.found.filename ?? address.url;
      show({ kind: "url", ...common(key, name), ...address, state: handle.store.getState() });
    } else if (recording) {
      const handle = createReadyItem(parts, internals.owner, key, { uploadId: recording.id }, eventsOfTurn(key), release);
      internals.handles.set(key, handle);
      show({ kind: "voice", ...common(key, recording.filename), recording, state: handle.store.getState() });
    }
    return true;
  };

  const addNew = async (owner: string, key: string, stored: StoredItem): Promise<NotAddedReason | null> => {
    await internals.restoring;
    internals.owner = owner;
    if (isListed(key)) {
      return null;
    }
    if (get().items.filter(isLive).length >= MAX_OPEN_UPLOADS) {
      return "full";
    }
    const back = restoreRemoved(internals, key);
    const mine = internals.generation;
    if (back) {
      show(back);
    } else if (!(await addReady(key, stored))) {
      return "elsewhere";
    }
    if (mine === internals.generation) {
      memory.add(owner, key, stored);
    }
    return null;
  };

  const restoreItem = async (owner: string, key: string, stored: StoredItem) => {
    const mine = internals.generation;
    if (internals.handles.has(key)) {
      return;
    }
    if (stored.gone) {
      // In the background: a server that does not answer must not delay the others.
      void sweep(owner, key, stored);
    } else if (stored.kind === "file") {
      const known = internals.suspended?.owner === owner ? internals.suspended.made.get(key) : undefined;
      const handle = known ?? uploadOf(key);
      internals.handles.set(key, handle);
      const store = handle.store as UploadStore;
      await store.getState().restore(owner);
      if (mine !== internals.generation) {
        store.getState().suspend();
      } else if (store.getState().phase === "empty") {
        internals.handles.delete(key);
        // Without stored files the reader can choose the file again, and the upload resumes.
        await sweep(owner, key, stored);
      } else {
        showFile(key, store);
      }
    } else {
      await addReady(key, stored);
    }
  };

  const restore = async (owner: string) => {
    const mine = internals.generation;
    internals.owner = owner;
    set({ separate: memory.separate(owner) });
    for (const [key, stored] of memory.items(owner)) {
      await restoreItem(owner, key, stored);
      if (mine !== internals.generation) {
        return;
      }
    }
    internals.suspended = null;
  };

  const addFiles = async (owner: string, files: readonly File[]) => {
    await internals.restoring;
    internals.owner = owner;
    const refusals: RefusedRecording[] = [];
    for (const file of files) {
      const refusal = await addFile(file);
      if (refusal) {
        refusals.push(refusal);
      }
    }
    return refusals;
  };

  const addUrl: TrayState["addUrl"] = (owner, url, probe) =>
    addNew(owner, keyOfUrl(url), { kind: "url", address: { url, found: probe } });

  const addRecording = (owner: string, recording: Recording) =>
    addNew(owner, keyOfRecording(recording), { kind: "voice", recording });

  return { addFiles, addUrl, addRecording, restore };
}
