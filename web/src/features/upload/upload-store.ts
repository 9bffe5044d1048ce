/**
 * The upload of one file: its progress and its actions. It exists outside of the page's components, so that it
 * continues on other pages. The tray has one of these per file.
 */
import { createStore } from "zustand/vanilla";
import { retryWhileUnreachable } from "./retry-while-unreachable";
import { createRateMeter, type Rate } from "./transfer-rate";
import type { Transfer } from "./tus-uploads";
import type { JobOrder, UploadFailure, UploadParts, UploadState, UploadStore } from "./upload-model";

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

/** Internal state that is not shown. */
function createHolding(parts: UploadParts) {
  const held = {
    owner: "",
    file: null as File | null,
    transfer: null as Transfer | null,
    release: null as (() => void) | null,
    /** Frees its upload slot, or leaves the queue for one. */
    leaveLine: null as (() => void) | null,
    /** The upload whose bytes are all on the server, and the function that stops polling it. */
    arrived: null as { uploadId: string; asking: AbortController } | null,
    /** The suspended upload, if the database could not store it. */
    aside: null as { owner: string; file: File; queued: JobOrder | null } | null,
    /** In progress: looking for the file of an earlier visit, under the lock of the owner's uploads. */
    restoring: null as Promise<void> | null,
    /** Incremented with every file: reports of an earlier transfer are ignored. */
    turn: 0,
    meter: createRateMeter(),

    /** Lets the next file be sent. */
    stepOut() {
      held.leaveLine?.();
      held.leaveLine = null;
    },

    /** Releases it in this tab; stored data is kept. */
    leave() {
      held.turn += 1;
      held.stepOut();
      held.transfer = null;
      held.arrived?.asking.abort();
      held.arrived = null;
      held.file = null;
      held.meter.reset();
      held.release?.();
      held.release = null;
    },

    /** Discards it permanently. */
    drop() {
      if (held.release) {
        // Without the lock, the stored data belongs to another tab.
        void parts.database.remove(held.owner);
        parts.queue.keep(held.owner, null);
      }
      held.leave();
    },
  };
  return held;
}

type Holding = ReturnType<typeof createHolding>;

/** Automatic steps: sending, inspecting, creating the job. */
function createCourse(
  parts: UploadParts,
  held: Holding,
  { setState: set, getState: get }: Pick<UploadStore, "setState" | "getState">,
) {
  const fail = (failure: UploadFailure) => {
    void held.transfer?.cancel();
    held.drop();
    set({ ...EMPTY, phase: "failed", file: get().file, failure });
    parts.listener.onTrouble("upload");
  };

  const setQueued = (queued: JobOrder | null) => {
    set({ queued });
    if (held.release) {
      parts.queue.keep(held.owner, queued);
    }
  };

  const submit = async (uploadId: string, order: JobOrder) => {
    const mine = held.turn;
    // A reload from now on must not create a second job.
    setQueued(null);
    set({ submitting: true, jobError: null });
    try {
      const jobId = await parts.createJob(uploadId, order);
      if (mine === held.turn) {
        // The job has taken over the upload: delete it here, keep it on the server.
        if (held.release) {
          parts.forget();
        }
        held.drop();
        set(EMPTY);
        parts.listener.onStarted(jobId);
      }
    } catch (error) {
      if (mine === held.turn) {
        set({ submitting: false, jobError: error });
        parts.listener.onTrouble("job");
      }
    }
  };

  const check = async (uploadId: string) => {
    const asking = new AbortController();
    held.arrived = { uploadId, asking };
    const { signal } = asking;
    held.stepOut();
    set({ phase: "checking", sent: get().file?.size ?? 0, rate: UNKNOWN_RATE });
    try {
      const upload = await retryWhileUnreachable(() => parts.inspect(uploadId), {
        isTransient: parts.isTransient,
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
      if (parts.isTransient(error)) {
        // Like after a transfer without a response for an hour: nothing is lost, and the reader decides when to
        // continue.
        set({ phase: "paused" });
      } else {
        fail(parts.explainError(error));
      }
    }
  };

  const send = (sending: File, resumable: boolean) => {
    const mine = held.turn;
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
              // No response for an hour: nothing is lost, and the reader decides when to continue.
              held.stepOut();
              set({ phase: "paused", rate: UNKNOWN_RATE });
            } else {
              fail(parts.explain(failure));
            }
          }),
      },
    });
  };

  /** Starts or continues sending, as soon as there is a free slot. */
  const line = (file: File, resumable: boolean) => {
    held.file = file;
    held.stepOut();
    set({ phase: "next", rate: UNKNOWN_RATE });
    held.leaveLine = parts.slots.ask(() => {
      set({ phase: "uploading" });
      if (held.transfer) {
        held.transfer.resume();
      } else {
        send(file, resumable);
      }
    });
  };

  return { line, check, submit, setQueued, fail };
}

export function createUploadStore(parts: UploadParts): UploadStore {
  const held = createHolding(parts);

  return createStore<UploadState>()((set, get, api) => {
    const { line, check, submit, setQueued, fail } = createCourse(parts, held, api);

    const restore = async (account: string) => {
      const mine = held.turn;
      const found = await parts.lock(lockName(account));
      const own = held.aside?.owner === account ? held.aside : null;
      const kept = found ? (own?.file ?? (await parts.database.take(account))) : null;
      if (!found || !kept || mine !== held.turn || get().phase !== "empty") {
        found?.();
        return;
      }
      held.owner = account;
      held.release = found;
      held.aside = null;
      set({ ...EMPTY, phase: "next", file: factsOf(kept), queued: own?.queued ?? parts.queue.read(account) });
      line(kept, true);
    };

    return {
      ...EMPTY,
      begin: async (account, chosen) => {
        await get().discard();
        held.owner = account;
        const mine = held.turn;
        set({ ...EMPTY, phase: "next", file: factsOf(chosen) });
        // A file chosen right after the page was loaded: the lock is held by this tab and released at once.
        await held.restoring;
        const lock = await parts.lock(lockName(account));
        if (mine !== held.turn) {
          lock?.();
          return;
        }
        held.release = lock;
        const violations = await parts.checkContent(chosen);
        if (mine !== held.turn) {
          return;
        }
        if (violations.length > 0) {
          fail({ code: null, params: {}, violations });
          return;
        }
        if (held.release) {
          void parts.database.put(held.owner, chosen);
        }
        // It may have been requested meanwhile.
        setQueued(get().queued);
        if (get().phase === "paused") {
          held.file = chosen;
        } else {
          line(chosen, held.release !== null);
        }
      },
      restore: async (account) => {
        if (get().phase !== "empty") {
          return;
        }
        held.restoring = restore(account);
        await held.restoring;
      },
      pause: () => {
        const { phase } = get();
        if (phase === "next" || phase === "uploading" || phase === "waiting" || phase === "checking") {
          held.stepOut();
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
        } else if (held.file) {
          line(held.file, held.release !== null);
        }
      },
      start: (order) => {
        const { phase, upload, submitting } = get();
        if (submitting || phase === "empty" || phase === "failed") {
          return;
        }
        if (upload) {
          void submit(upload.upload_id, order);
        } else {
          set({ jobError: null });
          setQueued(order);
        }
      },
      unqueue: () => setQueued(null),
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
