/** Analyses that were requested but had no engine on this server: held until their owner starts them. */
import { queryOptions } from "@tanstack/react-query";
import { api, call } from "./client";
import type { HeldParts, RunningParts } from "./schema";

export const heldAnalysesQuery = () =>
  queryOptions({
    queryKey: ["held-analyses"],
    queryFn: ({ signal }): Promise<HeldParts> => call(api.GET("/api/v1/held-analyses", { signal })),
  });

/** Queues the held analyses of one job, or of all, as far as they are available now. */
export const runHeldAnalyses = (job?: string): Promise<RunningParts> =>
  call(api.POST("/api/v1/held-analyses", { body: { job_id: job ?? null } }));
