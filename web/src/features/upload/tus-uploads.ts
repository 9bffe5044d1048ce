/** The interface of a transfer, and what this browser stores of transfers. `tus-client.ts` implements it. */

/** A permanent failure: status and body of the server's response, if there was one. */
export interface TransferFailure {
  status: number | null;
  body: string;
}

export interface TransferEvents {
  onProgress: (sent: number, total: number) => void;
  /** The connection is lost; the transfer retries by itself. */
  onWaiting: () => void;
  onDone: (uploadId: string) => void;
  onFailed: (failure: TransferFailure) => void;
}

export interface Transfer {
  pause: () => void;
  resume: () => void;
  /** Stops and removes the upload from the server. */
  cancel: () => Promise<void>;
}

export interface TransferOptions {
  file: File;
  /** Id of the account; uploads of other accounts are never resumed. */
  owner: string;
  /** Whether it may resume an earlier page's upload, and be resumed later. Only one tab at a time may. */
  resumable: boolean;
  endpoint: string;
  /** Headers that authorise a request, created for each one. */
  authorize: () => Promise<Record<string, string>>;
  events: TransferEvents;
}

export type StartTransfer = (options: TransferOptions) => Transfer;

const STORAGE_PREFIX = "tus::slovo/";

/** Whether another attempt may succeed after this status. */
export function isTransientStatus(status: number): boolean {
  return status === 401 || status === 408 || status === 429 || status >= 500;
}

/** Deletes stored uploads whose fingerprint starts like this; all of them by default (sign-out). */
export function forgetUploads(fingerprintStart = "slovo/"): void {
  const start = `tus::${fingerprintStart}`;
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(STORAGE_PREFIX) && key.startsWith(start)) {
      localStorage.removeItem(key);
    }
  }
}

/** Ids of the uploads stored under exactly this fingerprint. */
export function findUploads(fingerprint: string): string[] {
  const start = `tus::${fingerprint}::`;
  return Object.keys(localStorage).flatMap((key) => {
    // A longer name may start the same; the client ends its keys with a number.
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

/** Files with the same key are treated as the same, as far as a browser can tell without reading them. */
export function fileKey({ size, lastModified, name }: Pick<File, "name" | "size" | "lastModified">): string {
  return `${size}/${lastModified}/${name}`;
}

export function fingerprint(owner: string, key: string): string {
  return `slovo/${owner}/${key}`;
}

/** The id at the end of an upload's URL. */
export function uploadIdOf(url: string): string {
  return new URL(url, globalThis.location?.href).pathname.split("/").at(-1) ?? "";
}
