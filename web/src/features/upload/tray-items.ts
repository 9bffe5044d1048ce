/** Creates the items of a tray: each with its own store, lock and stored state. */
import type { StoreApi } from "zustand/vanilla";
import type { JobSource } from "./api";
import type { FileDatabase } from "./file-database";
import { createReadyStore } from "./ready-store";
import type { TransferSlots } from "./transfer-slots";
import type { Recording } from "./tray-model";
import type { StoredItem, TrayStorage } from "./tray-storage";
import { fingerprint } from "./tus-uploads";
import type { JobOrder, PendingJob, UploadParts, UploadStore } from "./upload-model";

/** The dependencies that differ between uploads. */
export type OwnParts = Pick<UploadParts, "database" | "lock" | "queue" | "listener" | "forget" | "slots">;

export interface TrayParts {
  createUpload: (itemParts: OwnParts) => UploadStore;
  /** Creates the job of a recording that needs no upload, and returns its id. */
  createJob: (source: JobSource, order: JobOrder) => Promise<string>;
  /** Deletes an upload from the server; one that no longer exists counts as deleted. */
  removeUpload: (id: string) => Promise<unknown>;
  /** Ids of the uploads that are remembered under this fingerprint. */
  findTransfers: (fingerprint: string) => readonly string[];
  /** Forgets the stored URL of the upload with this fingerprint. */
  forgetTransfer: (fingerprint: string) => void;
  database: FileDatabase;
  lock: UploadParts["lock"];
  memory: TrayStorage;
  slots: TransferSlots;
  /** The reader may be on another page when this happens. */
  listener: TrayListener;
}

export interface TrayListener {
  /** Jobs of one submission; `all` if nothing is left on the tray. */
  onStarted: (jobs: readonly { jobId: string }[], all: boolean) => void;
  onTrouble: (what: "upload" | "job") => void;
}

/** Events of one item for the tray. */
export interface ItemEvents {
  onChange: () => void;
  onStarted: (jobId: string) => void;
  onTrouble: (what: "upload" | "job") => void;
}

/** The internals of an item. */
export interface ItemHandle<Store = UploadStore | StoreApi<PendingJob>> {
  store: Store;
  /** Removes it permanently, also from the server. */
  destroy: () => Promise<unknown>;
  /** Stops, and releases it to another tab. */
  release: () => void;
  /** The session has ended: removes it here, and from the server if still possible. */
  abandon: () => void;
  /**
   * Stores a change for the next visit, or deletes the entry for null; if another tab has the recording, that tab
   * stores it.
   */
  remember: (change: Partial<StoredItem> | null) => void;
}

/** The key of a file in the database. */
export const databaseKey = (owner: string, key: string): string => `${owner}/${key}`;

export const keyOfUrl = (url: string): string => `url/${url}`;

export const keyOfRecording = ({ id }: Recording): string => `voice/${id}`;

export const lockName = (owner: string): string => `slovo.upload.${owner}`;

/** A file. All its stored data is under its key. */
export function createUploadItem(
  parts: TrayParts,
  owner: string,
  key: string,
  events: ItemEvents,
  onFile: (file: File) => void,
): ItemHandle<UploadStore> {
  const { database, memory } = parts;
  const place = databaseKey(owner, key);
  let stored = false;
  const remember = (change: Partial<StoredItem> | null) => stored && write(memory, owner, key, change);
  const store = parts.createUpload({
    database: {
      put: (_owner, file) => {
        stored = true;
        memory.add(owner, key, { kind: "file" });
        return database.put(place, file);
      },
      take: async () => {
        const file = await database.take(place);
        if (file) {
          stored = true;
          onFile(file);
        }
        return file;
      },
      remove: () => {
        remember(null);
        stored = false;
        return database.remove(place);
      },
      clear: database.clear,
    },
    lock: (name) => parts.lock(`${name}/${key}`),
    queue: {
      keep: (_owner, queued) => void remember({ queued }),
      read: () => memory.item(owner, key)?.queued ?? null,
    },
    listener: events,
    forget: () => parts.forgetTransfer(fingerprint(owner, key)),
    slots: parts.slots,
  });
  store.subscribe(events.onChange);
  const { suspend, discard } = store.getState();
  return { store, remember, release: suspend, destroy: discard, abandon: () => void discard() };
}

/** A URL or a voice recording. `release` releases its lock. */
export function createReadyItem(
  parts: TrayParts,
  owner: string,
  key: string,
  source: JobSource,
  events: ItemEvents,
  release: () => void,
): ItemHandle<StoreApi<PendingJob>> {
  const store = createReadyStore({
    createJob: (order) => parts.createJob(source, order),
    onStarted: events.onStarted,
    onTrouble: () => events.onTrouble("job"),
  });
  store.subscribe(events.onChange);
  const remember = (change: Partial<StoredItem> | null) => write(parts.memory, owner, key, change);
  return {
    store,
    remember,
    release,
    abandon: release,
    destroy: async () => {
      remember(null);
      release();
      if ("uploadId" in source) {
        // If deletion fails now, the upload expires on the server.
        await parts.removeUpload(source.uploadId).catch(() => {});
      }
    },
  };
}

function write(memory: TrayStorage, owner: string, key: string, change: Partial<StoredItem> | null): void {
  if (change === null) {
    memory.remove(owner, key);
  } else {
    memory.change(owner, key, change);
  }
}
