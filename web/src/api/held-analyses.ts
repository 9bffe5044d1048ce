/** What was asked for and nothing on this server did: it waits until its owner makes it run. */
import { queryOptions } from "@tanstack/react-query";
import { api, call } from "./client";
import type { HeldParts, RunningParts } from "./schema";

export const heldAnalysesQuery = () =>
  queryOptions({
    queryKey: ["held-analyses"],
    queryFn: ({ signal }): Promise<HeldParts> => call(api.GET("/api/v1/held-analyses", { signal })),
  });

/** Runs what is held of one job, or of all, as far as something does it by now. */
export const runHeldAnalyses = (job?: string): Promise<RunningParts> =>
  call(api.POST("/api/v1/held-analyses", { body: { job_id: job ?? null } }));
