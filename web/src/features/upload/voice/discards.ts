/** Uploads of recordings that were discarded while the server could not be told: not offered again, and removed when it can. */

export interface Discards {
  /** Ids of an account's uploads that the server may still have. */
  of: (owner: string) => string[];
  /** Written at once: the page may be on its way out. */
  add: (owner: string, uploadId: string) => void;
  drop: (owner: string, uploadId: string) => void;
}

const PREFIX = "slovo.voice.discarded.";

/** One entry each: tabs do not overwrite each other's. Where there is no space the server lets the upload expire. */
export function storedDiscards(storage: Storage): Discards {
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
        // Full or forbidden.
      }
    },
    drop: (owner, uploadId) => storage.removeItem(place(owner) + uploadId),
  };
}
