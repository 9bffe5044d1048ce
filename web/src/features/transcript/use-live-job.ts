/**
 * Follows a running job: what its events say of the job goes into the query cache, the growing text into a store. A job that
 * ended without its whole text is asked once for the text that it has: the stream of an ended job is its state and nothing
 * more.
 */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Job } from "@/api";
import { jobKeys } from "@/api/jobs";
import { jobQuery, openEvents, transcriptQuery } from "./api";
import { followJob } from "./job-events";
import { createLiveStore, type LiveStore } from "./live-store";
import { isTerminal } from "./model";

export function useLiveJob(job: Job): LiveStore {
  const [live] = useState(createLiveStore);
  const queryClient = useQueryClient();
  const id = job.my_job_id;
  const running = !isTerminal(job.status);
  // The text of a completed job is its transcript.
  const completed = job.status === "completed";

  // biome-ignore lint/correctness/useExhaustiveDependencies: a job that is started again is followed again
  useEffect(() => {
    if (completed) {
      return;
    }
    const page = new AbortController();
    followJob({
      open: (signal) => openEvents(id, signal),
      onEvent: (event) => {
        live.getState().apply(event);
        if ("job" in event) {
          queryClient.setQueryData(jobQuery(id).queryKey, event.job);
        }
        if (event.type === "language") {
          queryClient.setQueryData(jobQuery(id).queryKey, (known) => known && { ...known, language: event.code });
        }
        if (event.type === "completed" || event.type === "failed" || event.type === "cancelled") {
          void queryClient.invalidateQueries({ queryKey: jobKeys.all });
          void queryClient.invalidateQueries(transcriptQuery(id));
        }
      },
      onConnection: live.getState().setConnection,
      signal: page.signal,
    }).catch(() => {
      // The stream says no for good (the job is gone, the session is over): asking for the job shows which.
      void queryClient.invalidateQueries(jobQuery(id));
    });
    return () => page.abort();
  }, [id, running, completed, live, queryClient]);

  return live;
}
