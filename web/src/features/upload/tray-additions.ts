/** Adds recordings to the tray: chosen now, or restored from an earlier visit. */
import { allowedChoice } from "@/domain/settings/settings-draft";
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
import { isLive, MAX_ITEMS, type NotAdded, type Recording, type Refusal, type TrayItem, type TrayState } from "./tray-model";
import type { StoredItem } from "./tray-storage";
import { fileKey } from "./tus-uploads";
import type { UploadStore } from "./upload-model";

export function createAdditions(
  parts: TrayParts,
  held: TrayInternals,
  { setState: set, getState: get }: TrayAccess,
  eventsOf: (key: string) => ItemEvents,
) {
  const { memory } = parts;

  const show = (item: TrayItem) => set(({ items }) => ({ items: [...items.filter(({ key }) => key !== item.key), item] }));

  const sweep = createCleanup(parts, held);

  const common = (key: string, name: string) => {
    const kept = memory.item(held.owner, key);
    return { key, name, own: allowedChoice(kept?.own), track: kept?.track ?? null };
  };

  const showFile = (key: string, store: UploadStore) => {
    const state = store.getState();
    const file = held.files.get(key) ?? null;
    show({ kind: "file", ...common(key, file?.name ?? state.file?.name ?? ""), file, readDuration: null, state });
  };

  const uploadOf = (key: string): ItemHandle<UploadStore> => {
    const made = createUploadItem(parts, held.owner, key, eventsOf(key), (file) => held.files.set(key, file));
    held.handles.set(key, made);
    return made;
  };

  const isThere = (key: string) => get().items.some((item) => item.key === key && isLive(item));

  const addFile = async (file: File): Promise<Refusal | null> => {
    const { name } = file;
    const violations = fileViolations(file);
    if (violations.length > 0) {
      return { name, reason: violations };
    }
    const key = fileKey(file);
    if (isThere(key)) {
      return { name, reason: "again" };
    }
    if (get().items.filter(isLive).length >= MAX_ITEMS) {
      return { name, reason: "full" };
    }
    const mine = held.generation;
    await finishRemovalOf(held, key);
    if (mine === held.generation) {
      held.files.set(key, file);
      const { store } = uploadOf(key);
      const begun = store.getState().begin(held.owner, file);
      showFile(key, store);
      await begun;
    }
    return null;
  };

  /** Reports after the tray was emptied are ignored: it may belong to another user now. */
  const eventsOfTurn = (key: string): ItemEvents => {
    const mine = held.generation;
    const { onChange, onStarted, onTrouble } = eventsOf(key);
    return {
      onChange: () => mine === held.generation && onChange(),
      onStarted: (jobId) => mine === held.generation && onStarted(jobId),
      onTrouble: (what) => mine === held.generation && onTrouble(what),
    };
  };

  /** Adds a URL or voice recording; returns false and does nothing if another tab has it. */
  const addReady = async (key: string, { address, recording }: StoredItem): Promise<boolean> => {
    const mine = held.generation;
    const release = await parts.lock(`${lockName(held.owner)}/${key}`);
    if (!release) {
      return false;
    }
    if (mine !== held.generation) {
      release();
      return true;
    }
    if (address) {
      const made = createReadyItem(parts, held.owner, key, { url: address.url }, eventsOfTurn(key), release);
      held.handles.set(key, made);
      const name = address.found.title ?? address.found.filename ?? address.url;
      show({ kind: "url", ...common(key, name), ...address, state: made.store.getState() });
    } else if (recording) {
      const made = createReadyItem(parts, held.owner, key, { uploadId: recording.id }, eventsOfTurn(key), release);
      held.handles.set(key, made);
      show({ kind: "voice", ...common(key, recording.filename), recording, state: made.store.getState() });
    }
    return true;
  };

  const addNew = async (owner: string, key: string, kept: StoredItem): Promise<NotAdded | null> => {
    await held.restoring;
    held.owner = owner;
    if (isThere(key)) {
      return null;
    }
    if (get().items.filter(isLive).length >= MAX_ITEMS) {
      return "full";
    }
    const back = restoreRemoved(held, key);
    const mine = held.generation;
    if (back) {
      show(back);
    } else if (!(await addReady(key, kept))) {
      return "elsewhere";
    }
    if (mine === held.generation) {
      memory.add(owner, key, kept);
    }
    return null;
  };

  const restoreOne = async (owner: string, key: string, kept: StoredItem) => {
    const mine = held.generation;
    if (held.handles.has(key)) {
      return;
    }
    if (kept.gone) {
      // In the background: a server that does not answer must not delay the others.
      void sweep(owner, key, kept);
    } else if (kept.kind === "file") {
      const known = held.suspended?.owner === owner ? held.suspended.made.get(key) : undefined;
      const made = known ?? uploadOf(key);
      held.handles.set(key, made);
      const store = made.store as UploadStore;
      await store.getState().restore(owner);
      if (mine !== held.generation) {
        store.getState().suspend();
      } else if (store.getState().phase === "empty") {
        held.handles.delete(key);
        // Without stored files the reader can choose the file again, and the upload resumes.
        await sweep(owner, key, kept);
      } else {
        showFile(key, store);
      }
    } else {
      await addReady(key, kept);
    }
  };

  const restore = async (owner: string) => {
    const mine = held.generation;
    held.owner = owner;
    set({ separate: memory.separate(owner) });
    for (const [key, kept] of memory.items(owner)) {
      await restoreOne(owner, key, kept);
      if (mine !== held.generation) {
        return;
      }
    }
    held.suspended = null;
  };

  const addFiles = async (owner: string, files: readonly File[]) => {
    await held.restoring;
    held.owner = owner;
    const refusals: Refusal[] = [];
    for (const file of files) {
      const refusal = await addFile(file);
      if (refusal) {
        refusals.push(refusal);
      }
    }
    return refusals;
  };

  const addUrl: TrayState["addUrl"] = (owner, url, found) =>
    addNew(owner, keyOfUrl(url), { kind: "url", address: { url, found } });

  const addRecording = (owner: string, recording: Recording) =>
    addNew(owner, keyOfRecording(recording), { kind: "voice", recording });

  return { addFiles, addUrl, addRecording, restore };
}
