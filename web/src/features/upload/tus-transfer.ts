/**
 * Carries one file to the server by the tus protocol. The only module that knows tus-js-client.
 *
 * A transfer survives a lost connection, a server restart and a sleeping laptop by asking the server how much it has and
 * going on from there. Where an upload lives is remembered in local storage under the owner's id, so that the same file
 * chosen again after a reload goes on as well.
 */
import { type DetailedError, type HttpRequest, type HttpResponse, Upload, type UploadOptions } from "tus-js-client";
import { RETRY_MS } from "./patiently";

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

/**
 * Large enough for speed, small enough for the usual limit of a proxy in between (nginx refuses bodies over its own limit
 * with 413) and so that a broken piece costs little.
 */
const CHUNK_BYTES = 8 * 1024 * 1024;

const STORAGE_PREFIX = "tus::slovo/";

export type StartTransfer = (options: TransferOptions) => Transfer;

export const startTransfer: StartTransfer = ({ file, owner, resumable, endpoint, authorize, events }) => {
  let stopped = false;
  const wake = () => {
    // Do not wait out the pause between two tries when the network is back.
    if (!stopped) {
      void upload.abort().then(() => upload.start());
    }
  };
  const upload = new Upload(file, {
    endpoint,
    chunkSize: CHUNK_BYTES,
    retryDelays: [...RETRY_MS],
    metadata: { filename: file.name, filetype: file.type },
    storeFingerprintForResuming: resumable,
    // Kept until the job exists: a reload between the last byte and the Start button must find the upload.
    removeFingerprintOnSuccess: false,
    fingerprint: async () => fingerprint(owner, fileKey(file)),
    onBeforeRequest: async (request: HttpRequest) => {
      for (const [name, value] of Object.entries(await authorize())) {
        request.setHeader(name, value);
      }
      if (stopped && request.getMethod() !== "DELETE") {
        throw new Error("the transfer was paused while the request was being prepared");
      }
    },
    onAfterResponse: (request: HttpRequest, response: HttpResponse) => {
      // Left to itself, the client takes any failed HEAD as "gone" and begins again from the first byte.
      if (request.getMethod() === "HEAD" && isPassing(response.getStatus())) {
        throw new Error(`the server answered ${response.getStatus()}`);
      }
    },
    onShouldRetry: (error: DetailedError) => {
      const status = error.originalResponse?.getStatus() ?? 0;
      const again = !stopped && (status === 0 || isPassing(status) || status === 409 || status === 423);
      if (again) {
        events.onWaiting();
      }
      return again;
    },
    onProgress: events.onProgress,
    onSuccess: () => {
      globalThis.removeEventListener?.("online", wake);
      events.onDone(uploadIdOf(upload.url ?? ""));
    },
    onError: (error: Error | DetailedError) => {
      if (!stopped) {
        stopped = true;
        events.onFailed(failureOf(error));
      }
    },
  } satisfies UploadOptions);

  globalThis.addEventListener?.("online", wake);

  const begin = async () => {
    const previous = resumable ? (await upload.findPreviousUploads()).at(-1) : undefined;
    if (previous) {
      upload.resumeFromPreviousUpload(previous);
    }
    if (!stopped) {
      upload.start();
    }
  };
  void begin();

  return {
    pause: () => {
      stopped = true;
      globalThis.removeEventListener?.("online", wake);
      void upload.abort();
    },
    resume: () => {
      stopped = false;
      globalThis.addEventListener?.("online", wake);
      upload.start();
    },
    cancel: async () => {
      stopped = true;
      globalThis.removeEventListener?.("online", wake);
      // What cannot be removed now expires on the server.
      await upload.abort(true).catch(() => {});
      forgetUploads(fingerprint(owner, fileKey(file)));
    },
  };
};

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

/** Two files with the same key are the same file, as far as a browser can tell without reading them. */
export function fileKey({ size, lastModified, name }: Pick<File, "name" | "size" | "lastModified">): string {
  return `${size}/${lastModified}/${name}`;
}

export function fingerprint(owner: string, key: string): string {
  return `slovo/${owner}/${key}`;
}

function uploadIdOf(url: string): string {
  return new URL(url, globalThis.location?.href).pathname.split("/").at(-1) ?? "";
}

function failureOf(error: Error | DetailedError): TransferFailure {
  const response = "originalResponse" in error ? error.originalResponse : null;
  return { status: response?.getStatus() ?? null, body: response?.getBody() ?? "" };
}
