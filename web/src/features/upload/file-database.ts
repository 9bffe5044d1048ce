/**
 * Stores the files being uploaded in IndexedDB, so that uploads can continue after a reload or a crash without asking
 * for the files again. Without IndexedDB (private windows, no space) nothing is stored, and the page asks for the same
 * file.
 */

/** Every key starts with the owner's id. */
export interface FileDatabase {
  put: (key: string, file: File) => Promise<void>;
  take: (key: string) => Promise<File | null>;
  remove: (key: string) => Promise<void>;
  clear: () => Promise<void>;
}

const DATABASE = "slovo.uploads";
const TABLE = "files";
/** Version 1 stored one file per owner. */
const VERSION = 2;

export function browserFileDatabase(): FileDatabase {
  return {
    put: (key, file) => run("readwrite", (table) => table.put(file, key)).then(noResult, noResult),
    take: (key) =>
      run("readonly", (table) => table.get(key)).then(
        (stored) => (stored instanceof File ? stored : null),
        () => null,
      ),
    remove: (key) => run("readwrite", (table) => table.delete(key)).then(noResult, noResult),
    clear: () => run("readwrite", (table) => table.clear()).then(noResult, noResult),
  };
}

function noResult(): void {}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, VERSION);
    request.onupgradeneeded = () => {
      const { result } = request;
      if (result.objectStoreNames.contains(TABLE)) {
        result.deleteObjectStore(TABLE);
      }
      result.createObjectStore(TABLE);
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function run(mode: IDBTransactionMode, ask: (table: IDBObjectStore) => IDBRequest): Promise<unknown> {
  const database = await open();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(TABLE, mode);
      const request = ask(transaction.objectStore(TABLE));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error);
      transaction.onerror = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}
