/**
 * Carries a recording to the server while it grows: one request at a time, about every two seconds of sound, and everything
 * at once when it pauses. While the server cannot be reached it tries again, ever more seldom; after every failure it asks
 * first how much the server has.
 */
import { ApiError } from "@/api";
import type { ChunkQueue } from "./chunk-queue";
import { isGone, type VoiceTransfer } from "./voice-transfer";

/** Bytes that are worth a request while recording: two seconds. */
export const WORTH_BYTES = 2 * 88_200;
/** Bytes in one request when catching up: small enough for a slow line and for the usual limit of a proxy in between. */
const MOST_BYTES = 1024 * 1024;
/** Pauses between tries, in ms; the last one again and again. The return of the network ends them early. */
const RETRY_MS: readonly number[] = [500, 1_000, 2_000, 4_000, 8_000, 15_000];
/** A server that loses one upload after the other is not given a fourth. */
const MOST_UPLOADS = 3;

/** Somebody has appended to the same recording from another place. */
export class TakenElsewhere extends Error {}

export interface SenderParts {
  transfer: VoiceTransfer;
  queue: ChunkQueue;
  /** Gives the pieces of this recording that are kept here. */
  kept: () => Promise<readonly { offset: number; length: number }[]>;
  /** Whether everything from the first byte on is kept here. */
  whole: () => Promise<boolean>;
  /** Resolves after so many ms, or as soon as another try makes sense. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
  filename: string;
  events: {
    /** There is an upload for it now. */
    onUpload: (id: string) => void;
    onAcked: () => void;
    /** It tries again by itself; null when it got through. */
    onWaiting: (error: unknown) => void;
    onFailed: (error: unknown) => void;
  };
}

export interface Sender {
  uploadId: () => string | null;
  /** There is more. */
  wake: () => void;
  /** Everything is to go now, also what is not worth a request. */
  hurry: () => void;
  /** Sends what is left and declares the length. Resolves with the upload's id; rejects when that failed for good. */
  finish: () => Promise<string>;
  /** The length is not to be declared yet: `finish` rejects. */
  callOff: () => void;
  /** Tries again after it has failed for good. */
  retry: () => void;
  /** For good. */
  stop: () => void;
}

/** `sure` when `queue` has just been made by what the server said. */
export function createSender(parts: SenderParts, begin: { uploadId: string | null; sure: boolean }): Sender {
  const { transfer, queue, events } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  let { uploadId, sure } = begin;
  let running = false;
  let failed: unknown = null;
  let urgent = false;
  let finishing: Deferred | null = null;
  /** The server knows the length. */
  let closed = false;
  let declared = false;
  let tries = 0;
  let uploads = 0;

  const due = () => {
    if (failed !== null || signal.aborted || declared) {
      return false;
    }
    return finishing !== null || queue.pending() >= WORTH_BYTES || (urgent && queue.pending() > 0);
  };

  const fail = (error: unknown) => {
    failed = error;
    finishing?.reject(error);
    finishing = null;
    events.onFailed(error);
  };

  /** Asks what the server has, and makes the queue agree with it. */
  const compare = async (id: string) => {
    const found = await transfer.look(id, signal);
    const { stored } = found;
    closed = found.declared;
    if (stored > queue.end() || (closed && !finishing)) {
      throw new TakenElsewhere();
    }
    if (stored < queue.acked()) {
      queue.rewind(stored, await parts.kept());
    } else {
      queue.ack(stored);
    }
    declared = closed && stored === queue.end();
    sure = true;
    events.onAcked();
  };

  const step = async () => {
    if (uploadId === null) {
      uploadId = await transfer.create(parts.filename, signal);
      uploads += 1;
      sure = true;
      events.onUpload(uploadId);
    }
    if (!sure) {
      await compare(uploadId);
      if (declared) {
        return;
      }
    }
    const batch = await queue.next(MOST_BYTES);
    if (batch === null && queue.pending() > 0) {
      throw expired();
    }
    const offset = batch?.offset ?? queue.acked();
    const last = finishing !== null && offset + (batch?.length ?? 0) === queue.end();
    if (batch === null && !last) {
      return;
    }
    const at = { offset, parts: batch?.parts ?? [], ...(last && !closed && { length: queue.end() }) };
    // Until the answer is there nobody knows what the server has.
    sure = false;
    queue.ack(await transfer.append(uploadId, at, signal));
    sure = true;
    declared = last && queue.pending() === 0;
    events.onAcked();
  };

  /** Whether it is worth going on after this error. */
  const overcome = async (error: unknown): Promise<boolean> => {
    if (isGone(error) && uploadId !== null && uploads < MOST_UPLOADS && (await parts.whole())) {
      // The server has let it go; everything is here, so it is sent once more.
      queue.rewind(0, await parts.kept());
      uploadId = null;
      events.onAcked();
      return true;
    }
    if (!mayPass(error)) {
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
    if (declared && uploadId !== null) {
      finishing?.resolve(uploadId);
    }
    urgent = false;
  };

  return {
    uploadId: () => uploadId,
    wake: () => void run(),
    hurry: () => {
      urgent = true;
      void run();
    },
    finish: () => {
      failed = null;
      uploads = 0;
      finishing ??= createDeferred();
      void run();
      return finishing.promise;
    },
    callOff: () => {
      finishing?.reject(new DOMException("called off", "AbortError"));
      finishing = null;
    },
    retry: () => {
      failed = null;
      tries = 0;
      uploads = 0;
      sure = false;
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

/** An answer that another try may change; a mismatch is mended by asking first. */
function mayPass(error: unknown): boolean {
  if (error instanceof TakenElsewhere) {
    return false;
  }
  if (!(error instanceof ApiError)) {
    // The line broke off in the middle of an answer.
    return true;
  }
  const { status } = error;
  return status === 0 || status === 401 || status === 408 || status === 409 || status === 423 || status === 429 || status >= 500;
}
