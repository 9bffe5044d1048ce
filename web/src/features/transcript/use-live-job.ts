/**
 * Follows a running job: its events update the query cache, and a store with the growing text. A job that ended without
 * a complete text is asked once for its partial text: the stream of an ended job contains only its state.
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
          // Events contain the job only; its owner was loaded with the page.
          queryClient.setQueryData(jobQuery(id).queryKey, (known) => ({ ...event.job, owner: known?.owner ?? null }));
        }
        if (event.type === "language") {
          queryClient.setQueryData(jobQuery(id).queryKey, (known) => known && { ...known, language: event.code });
        }
        if (event.type === "analysis") {
          void queryClient.invalidateQueries({ queryKey: analysisKey(id) });
        }
        // A connection that was down at the end gets the final state from the next connection.
        if (running && isLast(event)) {
          void queryClient.invalidateQueries({ queryKey: jobKeys.all });
          void queryClient.invalidateQueries({ queryKey: transcriptKey(id) });
        }
      },
      onConnection: live.getState().setConnection,
      signal: page.signal,
    }).catch(() => {
      // The stream failed permanently (the job is gone, or the session has ended): refetching the job shows which.
      void queryClient.invalidateQueries(jobQuery(id));
    });
    return () => page.abort();
  }, [id, running, completed, live, queryClient]);

  return live;
}
