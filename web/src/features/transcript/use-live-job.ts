/** Follows a running job: what its events say of the job goes into the query cache, the growing text into a store. */
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

  useEffect(() => {
    if (!running) {
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
  }, [id, running, live, queryClient]);

  return live;
}
