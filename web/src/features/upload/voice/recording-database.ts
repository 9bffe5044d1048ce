/**
 * Stores recordings in IndexedDB while they are made: in pieces of about a second, by id and position. A crash, a
 * reload or an empty battery loses only the sound of an incomplete piece. Pieces are kept until the recording is used
 * or discarded, so that it can be played, and sent again if the server loses it.
 */
import type { Span } from "./resume-plan";

export interface StoredRecording {
  id: string;
  /** Id of the account; other accounts cannot see it. */
  owner: string;
  /** Name of the file. */
  filename: string;
  /** Start in ms. */
  startedAt: number;
  /** The server's id; null without an upload. */
  uploadId: string | null;
  /** Last known number of bytes on the server. */
  acked: number;
  /** The length declared by this browser, whether or not the server got it; null if not declared. */
  declared: number | null;
}

/** Every function rejects if the browser has no database, or no space in it. */
export interface RecordingDatabase {
  save: (recording: StoredRecording) => Promise<void>;
  /** Recordings of one account. */
  list: (owner: string) => Promise<StoredRecording[]>;
  /** Resolves when the piece is on the disk. */
  put: (id: string, offset: number, bytes: Uint8Array<ArrayBuffer>) => Promise<void>;
  /** The stored pieces. */
  spans: (id: string) => Promise<Span[]>;
  read: (id: string, span: Span) => Promise<Uint8Array<ArrayBuffer> | null>;
  /** Deletes the pieces that end at `end` or before. */
  prune: (id: string, end: number) => Promise<void>;
  remove: (id: string) => Promise<void>;
}

const DATABASE = "slovo.voice";
const RECORDINGS = "recordings";
/** Keys are [id of the recording, offset, length], so that pieces can be listed without reading them. */
const PIECES = "pieces";

type PieceKey = [id: string, offset: number, length: number];

/** A removal that closing the page may interrupt; written synchronously, unlike IndexedDB. */
const REMOVED = "slovo.voice.removed.";

export function browserRecordingDatabase(): RecordingDatabase {
  const remove = async (id: string) => {
    localStorage.setItem(REMOVED + id, "");
    await run(RECORDINGS, "readwrite", (table) => table.delete(id));
    await run(PIECES, "readwrite", (table) => table.delete(allOf(id)));
    localStorage.removeItem(REMOVED + id);
  };
  return {
    save: (recording) => run(RECORDINGS, "readwrite", (table) => table.put(recording)).then(noResult),
    list: async (owner) => {
      const all = (await run(RECORDINGS, "readonly", (table) => table.getAll())) as StoredRecording[];
      const removed = all.filter(({ id }) => localStorage.getItem(REMOVED + id) !== null);
      for (const { id } of removed) {
        void remove(id).catch(() => {});
      }
      return all.filter((recording) => recording.owner === owner && !removed.includes(recording));
    },
    put: (id, offset, bytes) =>
      run(PIECES, "readwrite", (table) => table.put(bytes, [id, offset, bytes.length] satisfies PieceKey)).then(noResult),
    spans: (id) =>
      run(PIECES, "readonly", (table) => table.getAllKeys(allOf(id))).then((keys) =>
        (keys as PieceKey[]).map(([, offset, length]) => ({ offset, length })),
      ),
    read: (id, { offset, length }) =>
      run(PIECES, "readonly", (table) => table.get([id, offset, length] satisfies PieceKey)).then((row) =>
        row instanceof Uint8Array ? (row as Uint8Array<ArrayBuffer>) : null,
      ),
    prune: async (id, end) => {
      const keys = (await run(PIECES, "readonly", (table) => table.getAllKeys(allOf(id)))) as PieceKey[];
      for (const key of keys.filter(([, offset, length]) => offset + length <= end)) {
        await run(PIECES, "readwrite", (table) => table.delete(key));
      }
    },
    remove,
  };
}

function noResult(): void {}

/** Arrays come after numbers in the order of keys. */
const allOf = (id: string) => IDBKeyRange.bound([id], [id, []]);

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(RECORDINGS, { keyPath: "id" });
      request.result.createObjectStore(PIECES);
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function run(name: string, mode: IDBTransactionMode, ask: (table: IDBObjectStore) => IDBRequest): Promise<unknown> {
  const database = await open();
  try {
    return await new Promise((resolve, reject) => {
      // Strict durability: stored pieces must survive a power loss.
      const transaction = database.transaction(name, mode, { durability: "strict" });
      const request = ask(transaction.objectStore(name));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error);
      transaction.onerror = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}
