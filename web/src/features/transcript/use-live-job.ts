/**
 * Follows a running job: what its events say of the job goes into the query cache, the growing text into a store. A job that
 * ended without its whole text is asked once for the text that it has: the stream of an ended job is its state and nothing
 * more.
 */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Job } from "@/api";
import { analysisKey } from "@/api/analysis";
import { jobKeys } from "@/api/jobs";
import { jobQuery, openEvents } from "./api";
import { transcriptKey } from "./document/api";
import { followJob, isLast } from "./job-events";
import { createLiveStore, type LiveStore } from "./live-store";
import { isTerminal } from "./model";

export function useLiveJob(job: Job): LiveStore {
  const [live] = useState(createLiveStore);
  const queryClient = useQueryClient();
  const id = job.my_job_id;
  const running = !isTerminal(job.status);
  // The text of a completed job is its transcript.
  const completed = job.status === "completed";

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
          // Events tell the job alone; whose it is was told when it was opened.
          queryClient.setQueryData(jobQuery(id).queryKey, (known) => ({ ...event.job, owner: known?.owner ?? null }));
        }
        if (event.type === "language") {
          queryClient.setQueryData(jobQuery(id).queryKey, (known) => known && { ...known, language: event.code });
        }
        if (event.type === "analysis") {
          void queryClient.invalidateQueries({ queryKey: analysisKey(id) });
        }
        // A line that was away at the end hears of it by the state that the next one begins with.
        if (running && isLast(event)) {
          void queryClient.invalidateQueries({ queryKey: jobKeys.all });
          void queryClient.invalidateQueries({ queryKey: transcriptKey(id) });
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
