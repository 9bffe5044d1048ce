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
  const holding = {
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
      holding.leaveLine?.();
      holding.leaveLine = null;
    },

    /** Releases it in this tab; stored data is kept. */
    leave() {
      holding.turn += 1;
      holding.stepOut();
      holding.transfer = null;
      holding.arrived?.asking.abort();
      holding.arrived = null;
      holding.file = null;
      holding.meter.reset();
      holding.release?.();
      holding.release = null;
    },

    /** Discards it permanently. */
    drop() {
      if (holding.release) {
        // Without the lock, the stored data belongs to another tab.
        void parts.database.remove(holding.owner);
        parts.queue.keep(holding.owner, null);
      }
      holding.leave();
    },
  };
  return holding;
}

type Holding = ReturnType<typeof createHolding>;

/** Automatic steps: sending, inspecting, creating the job. */
function createCourse(
  parts: UploadParts,
  holding: Holding,
  { setState: set, getState: get }: Pick<UploadStore, "setState" | "getState">,
) {
  const fail = (failure: UploadFailure) => {
    void holding.transfer?.cancel();
    holding.drop();
    set({ ...EMPTY, phase: "failed", file: get().file, failure });
    parts.listener.onTrouble("upload");
  };

  const setQueued = (queued: JobOrder | null) => {
    set({ queued });
    if (holding.release) {
      parts.queue.keep(holding.owner, queued);
    }
  };

  const submit = async (uploadId: string, order: JobOrder) => {
    const mine = holding.turn;
    // A reload from now on must not create a second job.
    setQueued(null);
    set({ submitting: true, jobError: null });
    try {
      const jobId = await parts.createJob(uploadId, order);
      if (mine === holding.turn) {
        // The job has taken over the upload: delete it here, keep it on the server.
        if (holding.release) {
          parts.forget();
        }
        holding.drop();
        set(EMPTY);
        parts.listener.onStarted(jobId);
      }
    } catch (error) {
      if (mine === holding.turn) {
        set({ submitting: false, jobError: error });
        parts.listener.onTrouble("job");
      }
    }
  };

  const check = async (uploadId: string) => {
    const asking = new AbortController();
    holding.arrived = { uploadId, asking };
    const { signal } = asking;
    holding.stepOut();
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
    const mine = holding.turn;
    const ifCurrent = (act: () => void) => {
      if (mine === holding.turn) {
        act();
      }
    };
    holding.transfer = parts.startTransfer({
      file: sending,
      owner: holding.owner,
      resumable,
      endpoint: parts.endpoint(),
      authorize: parts.authorize,
      events: {
        onProgress: (sent, total) =>
          ifCurrent(() => {
            if (get().phase === "paused") {
              return;
            }
            set({ phase: "uploading", sent, rate: holding.meter.note(sent, total, parts.now()) });
          }),
        onWaiting: () =>
          ifCurrent(() => {
            holding.meter.reset();
            set({ phase: "waiting", rate: UNKNOWN_RATE });
          }),
        onDone: (uploadId) => ifCurrent(() => void check(uploadId)),
        onFailed: (failure) =>
          ifCurrent(() => {
            if (failure.status === null) {
              // No response for an hour: nothing is lost, and the reader decides when to continue.
              holding.stepOut();
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
    holding.file = file;
    holding.stepOut();
    set({ phase: "next", rate: UNKNOWN_RATE });
    holding.leaveLine = parts.slots.ask(() => {
      set({ phase: "uploading" });
      if (holding.transfer) {
        holding.transfer.resume();
      } else {
        send(file, resumable);
      }
    });
  };

  return { line, check, submit, setQueued, fail };
}

export function createUploadStore(parts: UploadParts): UploadStore {
  const holding = createHolding(parts);

  return createStore<UploadState>()((set, get, api) => {
    const { line, check, submit, setQueued, fail } = createCourse(parts, holding, api);

    const restore = async (account: string) => {
      const mine = holding.turn;
      const release = await parts.lock(lockName(account));
      const ownAside = holding.aside?.owner === account ? holding.aside : null;
      const stored = release ? (ownAside?.file ?? (await parts.database.take(account))) : null;
      if (!release || !stored || mine !== holding.turn || get().phase !== "empty") {
        release?.();
        return;
      }
      holding.owner = account;
      holding.release = release;
      holding.aside = null;
      set({ ...EMPTY, phase: "next", file: factsOf(stored), queued: ownAside?.queued ?? parts.queue.read(account) });
      line(stored, true);
    };

    return {
      ...EMPTY,
      begin: async (account, chosen) => {
        await get().discard();
        holding.owner = account;
        const mine = holding.turn;
        set({ ...EMPTY, phase: "next", file: factsOf(chosen) });
        // A file chosen right after the page was loaded: the lock is held by this tab and released at once.
        await holding.restoring;
        const lock = await parts.lock(lockName(account));
        if (mine !== holding.turn) {
          lock?.();
          return;
        }
        holding.release = lock;
        const violations = await parts.checkContent(chosen);
        if (mine !== holding.turn) {
          return;
        }
        if (violations.length > 0) {
          fail({ code: null, params: {}, violations });
          return;
        }
        if (holding.release) {
          void parts.database.put(holding.owner, chosen);
        }
        // It may have been requested meanwhile.
        setQueued(get().queued);
        if (get().phase === "paused") {
          holding.file = chosen;
        } else {
          line(chosen, holding.release !== null);
        }
      },
      restore: async (account) => {
        if (get().phase !== "empty") {
          return;
        }
        holding.restoring = restore(account);
        await holding.restoring;
      },
      pause: () => {
        const { phase } = get();
        if (phase === "next" || phase === "uploading" || phase === "waiting" || phase === "checking") {
          holding.stepOut();
          if (holding.arrived) {
            holding.arrived.asking.abort();
          } else {
            holding.transfer?.pause();
          }
          holding.meter.reset();
          set({ phase: "paused", rate: UNKNOWN_RATE });
        }
      },
      resume: () => {
        if (get().phase !== "paused") {
          return;
        }
        if (holding.arrived) {
          void check(holding.arrived.uploadId);
        } else if (holding.file) {
          line(holding.file, holding.release !== null);
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
        const { owner, file, release } = holding;
        if (release && file) {
          holding.aside = { owner, file, queued: get().queued };
        }
        holding.transfer?.pause();
        holding.leave();
        set(EMPTY);
      },
      discard: async () => {
        const running = holding.transfer;
        holding.aside = null;
        holding.drop();
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
