/**
 * The upload of the page: its file, how far it is, and what can be done with it. It lives outside the page's components,
 * so that it runs on while the reader looks at another page, and is cleared when the session ends.
 */
import { createStore, type StoreApi } from "zustand/vanilla";
import type { Upload, Violation } from "@/api";
import type { FileShelf } from "./file-shelf";
import { patiently } from "./patiently";
import type { Settings } from "./settings-draft";
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
  /** What the job is to begin with as soon as the upload is ready; null when the reader has not said that it shall. */
  queued: Settings | null;
  /** The job is being created. */
  submitting: boolean;
  /** Why it could not be created; null when there is nothing to say. */
  jobError: unknown;
  begin: (owner: string, file: File) => Promise<void>;
  /** Goes on with the file of an earlier visit, if there is one. */
  restore: (owner: string) => Promise<void>;
  pause: () => void;
  resume: () => void;
  /** Makes a job of the upload: now, or as soon as it is ready. */
  start: (settings: Settings) => void;
  /** Takes back what `start` has put off. */
  unqueue: () => void;
  /** The reader has seen why there is no job, and mends it. */
  forgetJobError: () => void;
  /** The session has run out: stops and shows nothing, but keeps what its owner needs to go on after signing in again. */
  suspend: () => void;
  /** Stops, removes what the server has, and begins anew. */
  discard: () => Promise<void>;
}

export type UploadStore = StoreApi<UploadState>;

export interface UploadParts {
  startTransfer: StartTransfer;
  endpoint: () => string;
  authorize: () => Promise<Record<string, string>>;
  /** What the server says of a finished upload. */
  inspect: (uploadId: string) => Promise<Upload>;
  /** Whether what `inspect` threw may pass: the line is cut, the server is busy. */
  mayPass: (error: unknown) => boolean;
  /** Makes the job and gives its id. */
  createJob: (uploadId: string, settings: Settings) => Promise<string>;
  /** The wish to start as soon as possible, kept with the file. */
  queue: { keep: (owner: string, settings: Settings | null) => void; read: (owner: string) => Settings | null };
  /** The reader may be on another page when this happens. */
  news: { onStarted: (jobId: string) => void; onTrouble: (what: "upload" | "job") => void };
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
  queued: null,
  submitting: false,
  jobError: null,
} satisfies Partial<UploadState>;

export function createUploadStore(parts: UploadParts): UploadStore {
  let transfer: Transfer | null = null;
  let owner = "";
  let release: (() => void) | null = null;
  /** Rises with every file: what a former transfer still reports is not heard. */
  let turn = 0;
  let file: File | null = null;
  /** The upload whose bytes are all at the server, and the way to stop asking about it. */
  let arrived: { uploadId: string; asking: AbortController } | null = null;
  /** What was suspended, where the shelf could not keep it. */
  let aside: { owner: string; file: File; queued: Settings | null } | null = null;
  const meter = createRateMeter();

  const leave = () => {
    turn += 1;
    transfer = null;
    arrived?.asking.abort();
    arrived = null;
    file = null;
    meter.reset();
    release?.();
    release = null;
  };

  const letGo = () => {
    if (release) {
      // Without the lock what is remembered belongs to another tab.
      void parts.shelf.remove(owner);
      parts.queue.keep(owner, null);
    }
    leave();
  };

  return createStore<UploadState>()((set, get) => {
    const fail = (failure: UploadFailure) => {
      void transfer?.cancel();
      letGo();
      set({ ...EMPTY, phase: "failed", file: get().file, failure });
      parts.news.onTrouble("upload");
    };

    const setQueued = (queued: Settings | null) => {
      set({ queued });
      if (release) {
        parts.queue.keep(owner, queued);
      }
    };

    const submit = async (uploadId: string, settings: Settings) => {
      const mine = turn;
      // A reload from here on must not create a second job.
      setQueued(null);
      set({ submitting: true, jobError: null });
      try {
        const jobId = await parts.createJob(uploadId, settings);
        if (mine === turn) {
          // The job has taken the upload over: forget it here, keep it there.
          if (release) {
            parts.forget();
          }
          letGo();
          set(EMPTY);
          parts.news.onStarted(jobId);
        }
      } catch (error) {
        if (mine === turn) {
          set({ submitting: false, jobError: error });
          parts.news.onTrouble("job");
        }
      }
    };

    const check = async (uploadId: string) => {
      const asking = new AbortController();
      arrived = { uploadId, asking };
      const { signal } = asking;
      set({ phase: "checking", sent: get().file?.size ?? 0, rate: UNKNOWN_RATE });
      try {
        const upload = await patiently(() => parts.inspect(uploadId), {
          mayPass: parts.mayPass,
          onWaiting: () => !signal.aborted && set({ phase: "waiting" }),
          signal,
        });
        if (signal.aborted) {
          return;
        }
        if (upload.error) {
          fail({ code: upload.error.code, params: upload.error.params ?? {}, violations: [] });
          return;
        }
        set({ phase: "ready", upload });
        const { queued } = get();
        if (queued) {
          void submit(upload.upload_id, queued);
        }
      } catch (error) {
        if (signal.aborted) {
          return;
        }
        if (parts.mayPass(error)) {
          // As with a transfer that got no answer for an hour: nothing is lost, the reader says when to go on.
          set({ phase: "paused" });
        } else {
          fail(parts.explainError(error));
        }
      }
    };

    const send = (sending: File, resumable: boolean) => {
      const mine = turn;
      file = sending;
      const heard = (act: () => void) => {
        if (mine === turn) {
          act();
        }
      };
      transfer = parts.startTransfer({
        file: sending,
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
          onDone: (uploadId) => heard(() => void check(uploadId)),
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
      begin: async (account, chosen) => {
        await get().discard();
        owner = account;
        const mine = turn;
        set({ ...EMPTY, phase: "uploading", file: factsOf(chosen) });
        const lock = await parts.lock(lockName(account));
        if (mine !== turn) {
          lock?.();
          return;
        }
        release = lock;
        if (release) {
          void parts.shelf.put(owner, chosen);
        }
        // It may have been said meanwhile.
        setQueued(get().queued);
        send(chosen, release !== null);
      },
      restore: async (account) => {
        if (get().phase !== "empty") {
          return;
        }
        const mine = turn;
        const found = await parts.lock(lockName(account));
        const own = aside?.owner === account ? aside : null;
        const kept = found ? (own?.file ?? (await parts.shelf.take(account))) : null;
        if (!found || !kept || mine !== turn || get().phase !== "empty") {
          found?.();
          return;
        }
        owner = account;
        release = found;
        aside = null;
        set({ ...EMPTY, phase: "uploading", file: factsOf(kept), queued: own?.queued ?? parts.queue.read(account) });
        send(kept, true);
      },
      pause: () => {
        if (get().phase === "uploading" || get().phase === "waiting") {
          if (arrived) {
            arrived.asking.abort();
          } else {
            transfer?.pause();
          }
          meter.reset();
          set({ phase: "paused", rate: UNKNOWN_RATE });
        }
      },
      resume: () => {
        if (get().phase !== "paused") {
          return;
        }
        if (arrived) {
          void check(arrived.uploadId);
        } else {
          set({ phase: "uploading" });
          transfer?.resume();
        }
      },
      start: (settings) => {
        const { phase, upload, submitting } = get();
        if (submitting || phase === "empty" || phase === "failed") {
          return;
        }
        if (upload) {
          void submit(upload.upload_id, settings);
        } else {
          set({ jobError: null });
          setQueued(settings);
        }
      },
      unqueue: () => setQueued(null),
      forgetJobError: () => set({ jobError: null }),
      suspend: () => {
        if (release && file) {
          aside = { owner, file, queued: get().queued };
        }
        transfer?.pause();
        leave();
        set(EMPTY);
      },
      discard: async () => {
        const running = transfer;
        aside = null;
        letGo();
        set(EMPTY);
        await running?.cancel();
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
