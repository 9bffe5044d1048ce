/**
 * Stores unacknowledged edits in local storage, by user, job and tab. Written synchronously before
 * anything is sent and at every key: a crash leaves no time for asynchronous writes.
 */

import { newUuid } from "@/lib/tab-client";
import { UNSENT_PREFIX } from "@/lib/unsent";
import type { Conflict } from "./conflicts";
import type { EditOp } from "./model";
import type { Pending } from "./pending";
import { withoutOrphans } from "./steps";

/** Text being typed that is not an edit yet. */
export interface Draft {
  /** The segment. */
  id: string;
  /** The revision that it is based on. */
  revision: number;
  version: number;
  /** The text that it started from. */
  before: string;
  text: string;
}

/** Stored by one page for the next one. */
export interface StoredEdits {
  queue: readonly Pending[];
  conflicts: readonly Conflict[];
  draft: Draft | null;
}

export interface EditStorage {
  /** Edits left by this tab and by closed tabs; this tab takes over the latter. */
  take: () => StoredEdits;
  keepQueue: (queue: readonly Pending[], conflicts: readonly Conflict[]) => void;
  storeDraft: (draft: Draft | null) => void;
  /** False if the storage is full or forbidden: unsent edits are then only in this page. */
  durable: () => boolean;
}

type Store = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

export interface EditStorageParts {
  storage: Store;
  userId: string;
  jobId: string;
  /** The tab's name. */
  client: string;
  /** Whether the tab with that name is still open; then its edits are not taken over. */
  isOpen?: (client: string) => boolean;
}

/** The browser's storage for one tab's edits of one job. */
export function createEditStorage({ storage, userId, jobId, client, isOpen = () => false }: EditStorageParts): EditStorage {
  const folder = `${UNSENT_PREFIX}.${userId}.${jobId}.`;
  const ownKey = `${folder}${client}`;
  /** Failed writes, by key. */
  const lost = new Map<string, unknown>();

  const write = (key: string, value: unknown) => {
    try {
      if (value === null) {
        storage.removeItem(key);
      } else {
        storage.setItem(key, JSON.stringify(value));
      }
      lost.delete(key);
    } catch {
      lost.set(key, value);
    }
  };

  const read = <Value>(key: string): Value | null => {
    try {
      const text = storage.getItem(key);
      return text === null ? null : (JSON.parse(text) as Value);
    } catch {
      return null;
    }
  };

  const keepQueue = (queue: readonly Pending[], conflicts: readonly Conflict[]) =>
    write(ownKey, queue.length === 0 && conflicts.length === 0 ? null : { queue, conflicts });

  const keysOfClosed = (): string[] => {
    const keys = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? "");
    return keys.filter(
      (key) => key.startsWith(folder) && !key.startsWith(ownKey) && !isOpen(key.slice(folder.length).split(".")[0] ?? ""),
    );
  };

  return {
    take() {
      const mine = read<Partial<StoredEdits>>(ownKey);
      const queue = queueOf(mine);
      const conflicts = [...listOf(mine?.conflicts)];
      const closedKeys = keysOfClosed();
      for (const key of closedKeys) {
        if (key.endsWith(".draft")) {
          const draft = read<Draft>(key);
          queue.push(...(draft === null ? [] : [editOf(draft)]));
        } else {
          const other = read<Partial<StoredEdits>>(key);
          queue.push(...withoutOrphans(queueOf(other)));
          conflicts.push(...listOf(other?.conflicts));
        }
      }
      keepQueue(queue, conflicts);
      if (lost.size === 0) {
        for (const key of closedKeys) {
          write(key, null);
        }
      }
      return { queue, conflicts, draft: read<Draft>(`${ownKey}.draft`) };
    },
    keepQueue,
    storeDraft: (draft) => {
      write(`${ownKey}.draft`, draft);
      // Without the draft there may be enough space for its edit.
      if (draft === null && lost.has(ownKey)) {
        write(ownKey, lost.get(ownKey));
      }
    },
    durable: () => lost.size === 0,
  };
}

const listOf = <Item>(value: readonly Item[] | undefined): readonly Item[] => (Array.isArray(value) ? value : []);

/** The stored edits. A page of an earlier version has stored `correct_cues` as `mend_cues`. */
const queueOf = (stored: Partial<StoredEdits> | null): Pending[] =>
  listOf(stored?.queue).map((pending) => {
    const { edit } = pending;
    const isFormer = (edit.op.kind as string) === "mend_cues";
    return isFormer ? { ...pending, edit: { ...edit, op: { ...edit.op, kind: "correct_cues" } as EditOp } } : pending;
  });

/** The edit that a draft would have become. */
export function editOf(draft: Draft): Pending {
  const { id, revision, version, before, text } = draft;
  return {
    edit: { edit_id: newUuid(), op: { kind: "set_text", segment: { id, revision }, text } },
    version,
    sent: false,
    seen: { [id]: { text: before, speaker: null } },
  };
}
