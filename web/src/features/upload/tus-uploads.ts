/** What a transfer is, and what this browser remembers of transfers. `tus-client.ts` carries the bytes. */

/** Where the transfer ended for good: the status and body of the server's answer, if there was one. */
export interface TransferFailure {
  status: number | null;
  body: string;
}

export interface TransferEvents {
  onProgress: (sent: number, total: number) => void;
  /** The connection is lost; the transfer tries again by itself. */
  onWaiting: () => void;
  onDone: (uploadId: string) => void;
  onFailed: (failure: TransferFailure) => void;
}

export interface Transfer {
  pause: () => void;
  resume: () => void;
  /** Stops and removes what the server has. */
  cancel: () => Promise<void>;
}

export interface TransferOptions {
  file: File;
  /** Id of the account; another account's uploads are never picked up. */
  owner: string;
  /** May it go on with what an earlier page had begun, and be gone on with? Only one tab at a time may. */
  resumable: boolean;
  endpoint: string;
  /** Headers that authorise a request, fresh for each one. */
  authorize: () => Promise<Record<string, string>>;
  events: TransferEvents;
}

export type StartTransfer = (options: TransferOptions) => Transfer;

const STORAGE_PREFIX = "tus::slovo/";

/** An answer that another try may change. */
export function isPassing(status: number): boolean {
  return status === 401 || status === 408 || status === 429 || status >= 500;
}

/** Removes what is remembered of uploads whose fingerprint begins so; everything when nothing is given (sign-out). */
export function forgetUploads(fingerprintStart = "slovo/"): void {
  const start = `tus::${fingerprintStart}`;
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(STORAGE_PREFIX) && key.startsWith(start)) {
      localStorage.removeItem(key);
    }
  }
}

/** Ids of the uploads that are remembered under exactly this fingerprint. */
export function findUploads(fingerprint: string): string[] {
  const start = `tus::${fingerprint}::`;
  return Object.keys(localStorage).flatMap((key) => {
    // A name may go on after the same beginning; the client ends its keys with a number.
    if (!key.startsWith(start) || !/^\d+$/.test(key.slice(start.length))) {
      return [];
    }
    try {
      const { uploadUrl } = JSON.parse(localStorage.getItem(key) ?? "") as { uploadUrl?: unknown };
      return typeof uploadUrl === "string" ? uploadIdOf(uploadUrl) || [] : [];
    } catch {
      return [];
    }
  });
}

/** Two files with the same key are the same file, as far as a browser can tell without reading them. */
export function fileKey({ size, lastModified, name }: Pick<File, "name" | "size" | "lastModified">): string {
  return `${size}/${lastModified}/${name}`;
}

export function fingerprint(owner: string, key: string): string {
  return `slovo/${owner}/${key}`;
}

/** The id at the end of an upload's address. */
export function uploadIdOf(url: string): string {
  return new URL(url, globalThis.location?.href).pathname.split("/").at(-1) ?? "";
}
