/**
 * Keeps the file that is being uploaded in the browser's own database, so that a reload or a crash of the page can go on
 * without asking for the file again. Where the database is not to be had (private windows, no space) nothing is kept and
 * the page asks for the same file instead.
 */

export interface FileShelf {
  put: (owner: string, file: File) => Promise<void>;
  take: (owner: string) => Promise<File | null>;
  remove: (owner: string) => Promise<void>;
  clear: () => Promise<void>;
}

const DATABASE = "slovo.uploads";
const TABLE = "files";

export function browserShelf(): FileShelf {
  return {
    put: (owner, file) => run("readwrite", (table) => table.put(file, owner)).then(noResult, noResult),
    take: (owner) =>
      run("readonly", (table) => table.get(owner)).then(
        (found) => (found instanceof File ? found : null),
        () => null,
      ),
    remove: (owner) => run("readwrite", (table) => table.delete(owner)).then(noResult, noResult),
    clear: () => run("readwrite", (table) => table.clear()).then(noResult, noResult),
  };
}

function noResult(): void {}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(TABLE);
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
