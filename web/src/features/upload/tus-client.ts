/**
 * Uploads a file with the tus protocol. The only module that imports tus-js-client; loaded with the first file, see
 * tus-transfer.ts. A transfer survives a lost connection, a server restart and a sleeping laptop by asking the server
 * for the offset. Upload URLs are stored in local storage under the owner's id, so that the same file can be resumed
 * after a reload.
 */
import { type DetailedError, type HttpRequest, type HttpResponse, Upload, type UploadOptions } from "tus-js-client";
import { RETRY_MS } from "./retry-while-unreachable";
import {
  fileKey,
  fingerprint,
  forgetUploads,
  isTransientStatus,
  type StartTransfer,
  type TransferFailure,
  uploadIdOf,
} from "./tus-uploads";

/**
 * Large enough for speed, small enough for the usual limits of proxies (nginx refuses larger bodies with 413), and so
 * that a failed piece costs little.
 */
const CHUNK_BYTES = 8 * 1024 * 1024;

export const startTusTransfer: StartTransfer = ({ file, owner, resumable, endpoint, authorize, events }) => {
  let stopped = false;
  const wake = () => {
    // When the network is back, the delay between two attempts is skipped.
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
      // By default, the client treats any failed HEAD as "gone" and restarts from the first byte.
      if (request.getMethod() === "HEAD" && isTransientStatus(response.getStatus())) {
        throw new Error(`the server answered ${response.getStatus()}`);
      }
    },
    onShouldRetry: (error: DetailedError) => {
      const status = error.originalResponse?.getStatus() ?? 0;
      const shouldRetry = !stopped && (status === 0 || isTransientStatus(status) || status === 409 || status === 423);
      if (shouldRetry) {
        events.onWaiting();
      }
      return shouldRetry;
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
      // If it cannot be removed now, it expires on the server.
      await upload.abort(true).catch(() => {});
      forgetUploads(fingerprint(owner, fileKey(file)));
    },
  };
};

function failureOf(error: Error | DetailedError): TransferFailure {
  const response = "originalResponse" in error ? error.originalResponse : null;
  return { status: response?.getStatus() ?? null, body: response?.getBody() ?? "" };
}
