/** A recording that needs no upload: a URL, or a voice recording already on the server. It only needs a job. */
import { createStore, type StoreApi } from "zustand/vanilla";
import type { JobOrder, PendingJob } from "./upload-model";

interface ReadyParts {
  /** Creates the job and returns its id. */
  createJob: (order: JobOrder) => Promise<string>;
  onStarted: (jobId: string) => void;
  onTrouble: () => void;
}

export function createReadyStore({ createJob, onStarted, onTrouble }: ReadyParts): StoreApi<PendingJob> {
  return createStore<PendingJob>()((set, get) => ({
    queued: null,
    submitting: false,
    jobError: null,
    start: (order) => {
      if (get().submitting) {
        return;
      }
      set({ submitting: true, jobError: null });
      createJob(order).then(
        (jobId) => {
          set({ submitting: false });
          onStarted(jobId);
        },
        (error: unknown) => {
          set({ submitting: false, jobError: error });
          onTrouble();
        },
      );
    },
    unqueue: () => {},
    forgetJobError: () => set({ jobError: null }),
  }));
}
