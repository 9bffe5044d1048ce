/**
 * The upload of the page: its file, how far it is, and what can be done with it. It lives outside the page's components,
 * so that it runs on while the reader looks at another page, and is cleared when the session ends.
 */
import { createStore, type StoreApi } from "zustand/vanilla";
import type { Upload, Violation } from "@/api";
import type { Settings } from "@/components/settings-fields";
import type { FileShelf } from "./file-shelf";
import { patiently } from "./patiently";
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
  /** The job that the last upload has become, until another one begins or the reader has been told. */
  startedJob: string | null;
  begin: (owner: string, file: File) => Promise<void>;
  /** Goes on with the file of an earlier visit, if there is one. */
  restore: (owner: string) => Promise<void>;
  pause: () => void;
  resume: () => void;
  /** Makes a job of the upload: now, or as soon as it is ready. */
  start: (settings: Settings) => void;
  /** Takes back what `start` has put off. */
  unqueue: () => void;
  forgetStartedJob: () => void;
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
  startedJob: null,
} satisfies Partial<UploadState>;

/** What belongs to the upload and is not shown. */
function createHolding(parts: UploadParts) {
  const held = {
    owner: "",
    file: null as File | null,
    transfer: null as Transfer | null,
    release: null as (() => void) | null,
    /** The upload whose bytes are all at the server, and the way to stop asking about it. */
    arrived: null as { uploadId: string; asking: AbortController } | null,
    /** What was suspended, where the shelf could not keep it. */
    aside: null as { owner: string; file: File; queued: Settings | null } | null,
    /** Looking for the file of an earlier visit, under the lock of the owner's uploads. */
    restoring: null as Promise<void> | null,
    /** Rises with every file: what a former transfer still reports is not heard. */
    turn: 0,
    meter: createRateMeter(),

    /** Lets go of it here; what is remembered stays. */
    leave() {
      held.turn += 1;
      held.transfer = null;
      held.arrived?.asking.abort();
      held.arrived = null;
      held.file = null;
      held.meter.reset();
      held.release?.();
      held.release = null;
    },

    /** Lets go of it for good. */
    drop() {
      if (held.release) {
        // Without the lock what is remembered belongs to another tab.
        void parts.shelf.remove(held.owner);
        parts.queue.keep(held.owner, null);
      }
      held.leave();
    },
  };
  return held;
}

type Holding = ReturnType<typeof createHolding>;

/** What happens by itself: sending, looking into what has arrived, making the job. */
function createCourse(
  parts: UploadParts,
  held: Holding,
  { setState: set, getState: get }: Pick<UploadStore, "setState" | "getState">,
) {
  const fail = (failure: UploadFailure) => {
    void held.transfer?.cancel();
    held.drop();
    set({ ...EMPTY, phase: "failed", file: get().file, failure });
    parts.news.onTrouble("upload");
  };

  const setQueued = (queued: Settings | null) => {
    set({ queued });
    if (held.release) {
      parts.queue.keep(held.owner, queued);
    }
  };

  const submit = async (uploadId: string, settings: Settings) => {
    const mine = held.turn;
    // A reload from here on must not create a second job.
    setQueued(null);
    set({ submitting: true, jobError: null });
    try {
      const jobId = await parts.createJob(uploadId, settings);
      if (mine === held.turn) {
        // The job has taken the upload over: forget it here, keep it there.
        if (held.release) {
          parts.forget();
        }
        held.drop();
        set({ ...EMPTY, startedJob: jobId });
        parts.news.onStarted(jobId);
      }
    } catch (error) {
      if (mine === held.turn) {
        set({ submitting: false, jobError: error });
        parts.news.onTrouble("job");
      }
    }
  };

  const check = async (uploadId: string) => {
    const asking = new AbortController();
    held.arrived = { uploadId, asking };
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
    const mine = held.turn;
    held.file = sending;
    const heard = (act: () => void) => {
      if (mine === held.turn) {
        act();
      }
    };
    held.transfer = parts.startTransfer({
      file: sending,
      owner: held.owner,
      resumable,
      endpoint: parts.endpoint(),
      authorize: parts.authorize,
      events: {
        onProgress: (sent, total) =>
          heard(() => {
            if (get().phase === "paused") {
              return;
            }
            set({ phase: "uploading", sent, rate: held.meter.note(sent, total, parts.now()) });
          }),
        onWaiting: () =>
          heard(() => {
            held.meter.reset();
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

  return { send, check, submit, setQueued };
}

export function createUploadStore(parts: UploadParts): UploadStore {
  const held = createHolding(parts);

  return createStore<UploadState>()((set, get, api) => {
    const { send, check, submit, setQueued } = createCourse(parts, held, api);

    const restore = async (account: string) => {
      const mine = held.turn;
      const found = await parts.lock(lockName(account));
      const own = held.aside?.owner === account ? held.aside : null;
      const kept = found ? (own?.file ?? (await parts.shelf.take(account))) : null;
      if (!found || !kept || mine !== held.turn || get().phase !== "empty") {
        found?.();
        return;
      }
      held.owner = account;
      held.release = found;
      held.aside = null;
      set({ ...EMPTY, phase: "uploading", file: factsOf(kept), queued: own?.queued ?? parts.queue.read(account) });
      send(kept, true);
    };

    return {
      ...EMPTY,
      begin: async (account, chosen) => {
        await get().discard();
        held.owner = account;
        const mine = held.turn;
        set({ ...EMPTY, phase: "uploading", file: factsOf(chosen) });
        // A file chosen the moment the page is there: the lock is this tab's own, and comes free at once.
        await held.restoring;
        const lock = await parts.lock(lockName(account));
        if (mine !== held.turn) {
          lock?.();
          return;
        }
        held.release = lock;
        if (held.release) {
          void parts.shelf.put(held.owner, chosen);
        }
        // It may have been said meanwhile.
        setQueued(get().queued);
        send(chosen, held.release !== null);
      },
      restore: async (account) => {
        if (get().phase !== "empty") {
          return;
        }
        held.restoring = restore(account);
        await held.restoring;
      },
      pause: () => {
        if (get().phase === "uploading" || get().phase === "waiting") {
          if (held.arrived) {
            held.arrived.asking.abort();
          } else {
            held.transfer?.pause();
          }
          held.meter.reset();
          set({ phase: "paused", rate: UNKNOWN_RATE });
        }
      },
      resume: () => {
        if (get().phase !== "paused") {
          return;
        }
        if (held.arrived) {
          void check(held.arrived.uploadId);
        } else {
          set({ phase: "uploading" });
          held.transfer?.resume();
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
      forgetStartedJob: () => set({ startedJob: null }),
      forgetJobError: () => set({ jobError: null }),
      suspend: () => {
        const { owner, file, release } = held;
        if (release && file) {
          held.aside = { owner, file, queued: get().queued };
        }
        held.transfer?.pause();
        held.leave();
        set(EMPTY);
      },
      discard: async () => {
        const running = held.transfer;
        held.aside = null;
        held.drop();
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
