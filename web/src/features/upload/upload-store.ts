/**
 * The upload of the page: its file, how far it is, and what can be done with it. It lives outside the page's components,
 * so that it runs on while the reader looks at another page, and is cleared when the session ends.
 */
import { createStore, type StoreApi } from "zustand/vanilla";
import type { Upload, Violation } from "@/api";
import type { FileShelf } from "./file-shelf";
import { createRateMeter, type Rate } from "./transfer-rate";
import type { StartTransfer, Transfer, TransferFailure } from "./tus-transfer";

/**
 * empty -> uploading <-> paused | waiting -> checking -> ready; failed from any of them.
 * `waiting`: the connection is lost and it tries again by itself. `checking`: all bytes are there, the server looks.
 */
export type UploadPhase = "empty" | "uploading" | "paused" | "waiting" | "checking" | "ready" | "failed";

export interface UploadFailure {
  /** A problem code, see locales/problems.json; null when there was no readable answer. */
  code: string | null;
  params: Record<string, unknown>;
  /** Broken rules, when the answer names them. */
  violations: readonly Violation[];
}

export interface UploadState {
  phase: UploadPhase;
  file: { name: string; size: number; type: string } | null;
  sent: number;
  rate: Rate;
  /** What the server found in the file, once it is there in full. */
  upload: Upload | null;
  failure: UploadFailure | null;
  begin: (owner: string, file: File) => Promise<void>;
  /** Goes on with the file of an earlier visit, if there is one. */
  restore: (owner: string) => Promise<void>;
  pause: () => void;
  resume: () => void;
  /** Stops, removes what the server has, and begins anew. */
  discard: () => Promise<void>;
  /** The job has taken the upload over: forget it here, keep it there. */
  handOver: () => void;
}

export type UploadStore = StoreApi<UploadState>;

export interface UploadParts {
  startTransfer: StartTransfer;
  endpoint: () => string;
  authorize: () => Promise<Record<string, string>>;
  /** What the server says of a finished upload. */
  inspect: (uploadId: string) => Promise<Upload>;
  /** Turns a refused request into a code. */
  explain: (failure: TransferFailure) => UploadFailure;
  /** Turns an error of `inspect` into a code. */
  explainError: (error: unknown) => UploadFailure;
  shelf: FileShelf;
  lock: (name: string) => Promise<(() => void) | null>;
  forget: () => void;
  /** Milliseconds of a clock that never goes back. */
  now: () => number;
}

const UNKNOWN_RATE: Rate = { bytesPerSecond: null, secondsLeft: null };

const EMPTY = {
  phase: "empty",
  file: null,
  sent: 0,
  rate: UNKNOWN_RATE,
  upload: null,
  failure: null,
} satisfies Partial<UploadState>;

export function createUploadStore(parts: UploadParts): UploadStore {
  let transfer: Transfer | null = null;
  let owner = "";
  let release: (() => void) | null = null;
  /** Rises with every file: what a former transfer still reports is not heard. */
  let turn = 0;
  const meter = createRateMeter();

  const letGo = () => {
    turn += 1;
    transfer = null;
    meter.reset();
    if (release) {
      // Without the lock what is remembered belongs to another tab.
      void parts.shelf.remove(owner);
      release();
      release = null;
    }
  };

  return createStore<UploadState>()((set, get) => {
    const fail = (failure: UploadFailure) => {
      void transfer?.cancel();
      letGo();
      set({ ...EMPTY, phase: "failed", file: get().file, failure });
    };

    const check = async (uploadId: string, mine: number) => {
      set({ phase: "checking", sent: get().file?.size ?? 0, rate: UNKNOWN_RATE });
      try {
        const upload = await parts.inspect(uploadId);
        if (mine !== turn) {
          return;
        }
        if (upload.error) {
          fail({ code: upload.error.code, params: upload.error.params ?? {}, violations: [] });
        } else {
          set({ phase: "ready", upload });
        }
      } catch (error) {
        if (mine === turn) {
          fail(parts.explainError(error));
        }
      }
    };

    const send = (file: File, resumable: boolean) => {
      const mine = turn;
      const heard = (act: () => void) => {
        if (mine === turn) {
          act();
        }
      };
      transfer = parts.startTransfer({
        file,
        owner,
        resumable,
        endpoint: parts.endpoint(),
        authorize: parts.authorize,
        events: {
          onProgress: (sent, total) =>
            heard(() => {
              if (get().phase === "paused") {
                return;
              }
              set({ phase: "uploading", sent, rate: meter.note(sent, total, parts.now()) });
            }),
          onWaiting: () =>
            heard(() => {
              meter.reset();
              set({ phase: "waiting", rate: UNKNOWN_RATE });
            }),
          onDone: (uploadId) => heard(() => void check(uploadId, mine)),
          onFailed: (failure) =>
            heard(() => {
              if (failure.status === null) {
                // No answer for an hour: nothing is lost, the reader says when to go on.
                set({ phase: "paused", rate: UNKNOWN_RATE });
              } else {
                fail(parts.explain(failure));
              }
            }),
        },
      });
    };

    return {
      ...EMPTY,
      begin: async (account, file) => {
        await get().discard();
        owner = account;
        const mine = turn;
        set({ ...EMPTY, phase: "uploading", file: factsOf(file) });
        release = await parts.lock(lockName(owner));
        if (mine !== turn) {
          release?.();
          return;
        }
        if (release) {
          void parts.shelf.put(owner, file);
        }
        send(file, release !== null);
      },
      restore: async (account) => {
        if (get().phase !== "empty") {
          return;
        }
        const mine = turn;
        const found = await parts.lock(lockName(account));
        const file = found ? await parts.shelf.take(account) : null;
        if (!found || !file || mine !== turn || get().phase !== "empty") {
          found?.();
          return;
        }
        owner = account;
        release = found;
        set({ ...EMPTY, phase: "uploading", file: factsOf(file) });
        send(file, true);
      },
      pause: () => {
        if (get().phase === "uploading" || get().phase === "waiting") {
          transfer?.pause();
          meter.reset();
          set({ phase: "paused", rate: UNKNOWN_RATE });
        }
      },
      resume: () => {
        if (get().phase === "paused") {
          set({ phase: "uploading" });
          transfer?.resume();
        }
      },
      discard: async () => {
        const running = transfer;
        letGo();
        set(EMPTY);
        await running?.cancel();
      },
      handOver: () => {
        if (release) {
          parts.forget();
        }
        letGo();
        set(EMPTY);
      },
    };
  });
}

function factsOf(file: File) {
  return { name: file.name, size: file.size, type: file.type };
}

function lockName(owner: string): string {
  return `slovo.upload.${owner}`;
}
