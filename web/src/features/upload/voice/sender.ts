/**
 * Sends a recording while it grows: one request at a time, about every two seconds of sound, and everything at once on
 * a pause. While the server is unreachable it retries with increasing delays; after every failure it first asks the
 * server for the offset.
 */
import { ApiError } from "@/api";
import { AppendedElsewhereError, createTarget, type KnownTarget, type TargetParts } from "./target";
import { isGone } from "./voice-transfer";
import { BYTES_PER_SECOND } from "./wav";

/** Minimum bytes per request while recording: two seconds. */
const WORTH_BYTES = 2 * BYTES_PER_SECOND;
/**
 * Maximum bytes per request when catching up: small enough for a slow connection and for the usual limits of proxies.
 */
const MAX_BYTES = 1024 * 1024;
/** Retry delays, in ms; the last one repeats. The return of the network ends them early. */
const RETRY_MS: readonly number[] = [500, 1_000, 2_000, 4_000, 8_000, 15_000];
/** Limit for consecutive uploads lost by the server. */
const MAX_UPLOADS = 3;

export interface SenderParts extends TargetParts {
  /** Resolves after so many ms, or as soon as another attempt makes sense. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
  events: TargetParts["events"] & {
    /** It retries by itself; null when it has succeeded. */
    onWaiting: (error: unknown) => void;
    onFailed: (error: unknown) => void;
  };
}

export interface Sender {
  uploadId: () => string | null;
  /** More data is available. */
  wake: () => void;
  /** Send everything now, even less than the minimum. */
  hurry: () => void;
  /** Sends the rest and declares the length. Resolves with the upload's id; rejects on a permanent failure. */
  finish: () => Promise<string>;
  /** Prevents declaring the length: `finish` rejects. It may already have been declared: see `extendable`. */
  callOff: () => void;
  /**
   * Whether sound can still be added: the server cannot know the length yet, or all pieces are here to be sent again.
   */
  extendable: () => Promise<boolean>;
  /** Retries after a permanent failure. */
  retry: () => void;
  /** Permanently. */
  stop: () => void;
}

export function createSender(parts: SenderParts, begin: KnownTarget): Sender {
  const { queue, events } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  const target = createTarget(parts, begin, signal);
  let running = false;
  let failed: unknown = null;
  let urgent = false;
  let finishing: Deferred | null = null;
  let tries = 0;

  const due = () => {
    if (failed !== null || signal.aborted) {
      return false;
    }
    if (finishing !== null) {
      return !target.complete();
    }
    return queue.pending() >= WORTH_BYTES || (urgent && queue.pending() > 0);
  };

  const fail = (error: unknown) => {
    failed = error;
    finishing?.reject(error);
    finishing = null;
    events.onFailed(error);
  };

  const step = async () => {
    const id = await target.ready();
    const batch = await queue.next(MAX_BYTES);
    if (batch !== null) {
      await target.append(id, batch);
    } else if (queue.pending() > 0) {
      throw expired();
    } else if (finishing !== null && !target.complete()) {
      // A request of its own, at the end: if it is cancelled while sound is being sent, this upload can be continued.
      await target.declare(id);
    }
  };

  /** Whether it is worth continuing after this error. */
  const overcome = async (error: unknown): Promise<boolean> => {
    if (isGone(error) && target.uploadId() !== null && target.made() < MAX_UPLOADS && (await parts.whole())) {
      // The upload is gone from the server; everything is here, so it is sent again.
      await target.leave();
      return true;
    }
    if (!isTransient(error)) {
      return false;
    }
    events.onWaiting(error);
    await parts.wait(RETRY_MS[Math.min(tries, RETRY_MS.length - 1)] ?? 0, signal);
    tries += 1;
    return true;
  };

  const run = async () => {
    if (running) {
      return;
    }
    running = true;
    while (due()) {
      try {
        await step();
        if (tries > 0) {
          tries = 0;
          events.onWaiting(null);
        }
      } catch (error) {
        if (!signal.aborted && !(await overcome(error))) {
          fail(isGone(error) ? expired() : error);
        }
      }
    }
    running = false;
    const uploadId = target.uploadId();
    if (finishing !== null && uploadId !== null && target.complete()) {
      finishing.resolve(uploadId);
      finishing = null;
    }
    urgent = false;
  };

  return {
    uploadId: target.uploadId,
    wake: () => void run(),
    hurry: () => {
      urgent = true;
      void run();
    },
    finish: () => {
      failed = null;
      tries = 0;
      target.forgetMade();
      finishing ??= createDeferred();
      const { promise } = finishing;
      void run();
      return promise;
    },
    callOff: () => {
      finishing?.reject(new DOMException("called off", "AbortError"));
      finishing = null;
      // What is already queued is still sent.
      urgent = true;
      void run();
    },
    extendable: target.extendable,
    retry: () => {
      failed = null;
      tries = 0;
      target.forgetMade();
      target.doubt();
      urgent = true;
      void run();
    },
    stop: () => {
      stopping.abort();
      finishing?.reject(signal.reason);
      finishing = null;
    },
  };
}

const expired = () => new ApiError({ status: 410, code: "upload_expired" });

interface Deferred {
  promise: Promise<string>;
  resolve: (uploadId: string) => void;
  reject: (error: unknown) => void;
}

function createDeferred(): Deferred {
  const deferred = {} as Deferred;
  deferred.promise = new Promise((resolve, reject) => Object.assign(deferred, { resolve, reject }));
  return deferred;
}

/** Another attempt may succeed; an offset mismatch is resolved by asking first. */
export function isTransient(error: unknown): boolean {
  if (error instanceof AppendedElsewhereError) {
    return false;
  }
  if (!(error instanceof ApiError)) {
    // The connection was lost during a response.
    return true;
  }
  const { status } = error;
  return status === 0 || status === 401 || status === 408 || status === 409 || status === 423 || status === 429 || status >= 500;
}
