/**
 * Uploads of recordings that were discarded while the server was unreachable: not offered again, and deleted when
 * possible.
 */

export interface DiscardedUploads {
  /** Ids of an account's uploads that may still be on the server. */
  of: (owner: string) => string[];
  /** Synchronous, because the page may be closing. */
  add: (owner: string, uploadId: string) => void;
  drop: (owner: string, uploadId: string) => void;
}

const PREFIX = "slovo.voice.discarded.";

/**
 * One entry per upload, so that tabs do not overwrite each other's. Without space, the upload expires on the server.
 */
export function storedDiscards(storage: Storage): DiscardedUploads {
  const place = (owner: string) => `${PREFIX}${owner}.`;
  return {
    of: (owner) =>
      Object.keys(storage)
        .filter((key) => key.startsWith(place(owner)))
        .map((key) => key.slice(place(owner).length)),
    add: (owner, uploadId) => {
      try {
        storage.setItem(place(owner) + uploadId, "");
      } catch {
        // Storage is full or forbidden.
      }
    },
    drop: (owner, uploadId) => storage.removeItem(place(owner) + uploadId),
  };
}
