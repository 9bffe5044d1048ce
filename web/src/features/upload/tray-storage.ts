/**
 * The content of the tray, stored in local storage under the owner's id, so that it survives a reload but is not
 * visible to another account. The files themselves are in the database.
 */
import type { UrlProbe } from "@/api";
import type { Choice } from "@/domain/settings/settings-draft";
import type { Source } from "@/rules";
import { SOURCES } from "@/rules/constants";
import type { Recording } from "./tray-model";
import type { JobOrder } from "./upload-model";

/** One recording. */
export interface StoredItem {
  kind: Source;
  /** For a URL. */
  address?: { url: string; found: UrlProbe };
  /** For a voice recording. */
  recording?: Recording;
  own?: Choice;
  track?: number | null;
  /** The job is to start as soon as the upload is complete. */
  queued?: JobOrder | null;
  /** Discarded, and still restorable when this was written. */
  gone?: boolean;
}

interface StoredTray {
  separate?: boolean;
  items?: Record<string, StoredItem | undefined>;
}

export interface TrayStorage {
  /** In order of their addition. */
  items: (owner: string) => [key: string, item: StoredItem][];
  item: (owner: string, key: string) => StoredItem | null;
  add: (owner: string, key: string, item: StoredItem) => void;
  /** Changes a stored item. */
  change: (owner: string, key: string, change: Partial<StoredItem>) => void;
  remove: (owner: string, key: string) => void;
  separate: (owner: string) => boolean;
  keepSeparate: (owner: string, separate: boolean) => void;
  /** For all owners. */
  clear: () => void;
}

const KEY = "slovo.tray";

export function browserTrayStorage(storage: Storage): TrayStorage {
  const readAll = (): Record<string, StoredTray | undefined> => {
    try {
      const stored: unknown = JSON.parse(storage.getItem(KEY) ?? "null");
      return typeof stored === "object" && stored !== null ? (stored as Record<string, StoredTray | undefined>) : {};
    } catch {
      // Invalid JSON counts as empty.
      return {};
    }
  };
  // Other tabs write here too: only changes are written, merged into the current content.
  const write = (owner: string, change: (tray: StoredTray) => StoredTray) => {
    const trays = readAll();
    storage.setItem(KEY, JSON.stringify({ ...trays, [owner]: change(trays[owner] ?? {}) }));
  };
  const itemsOf = (owner: string) =>
    Object.entries(readAll()[owner]?.items ?? {}).flatMap(([key, item]): [string, StoredItem][] =>
      isComplete(item) ? [[key, item]] : [],
    );
  const put = (owner: string, key: string, item: StoredItem | undefined) =>
    write(owner, (tray) => ({ ...tray, items: { ...tray.items, [key]: item } }));

  return {
    items: itemsOf,
    item: (owner, key) => readAll()[owner]?.items?.[key] ?? null,
    add: (owner, key, item) => put(owner, key, { ...readAll()[owner]?.items?.[key], ...item, gone: false }),
    change: (owner, key, change) => {
      const item = readAll()[owner]?.items?.[key];
      if (item) {
        put(owner, key, { ...item, ...change });
      }
    },
    // Undefined values are not written.
    remove: (owner, key) => put(owner, key, undefined),
    separate: (owner) => readAll()[owner]?.separate === true,
    keepSeparate: (owner, separate) => write(owner, (tray) => ({ ...tray, separate })),
    clear: () => storage.removeItem(KEY),
  };
}

/** Content edited by hand or written by another version is used only as far as it is valid. */
function isComplete(item: unknown): item is StoredItem {
  if (typeof item !== "object" || item === null) {
    return false;
  }
  const { kind, address, recording } = item as Partial<StoredItem>;
  return (
    (SOURCES as readonly unknown[]).includes(kind) &&
    (kind !== "url" || typeof address?.url === "string") &&
    (kind !== "voice" || typeof recording?.id === "string")
  );
}
