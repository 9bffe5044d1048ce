/** Everybody's jobs, for administrators. */
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, call } from "./client";
import { isRunning, jobKeys } from "./jobs";
import type { Job } from "./schema";

export type { AnybodysJob } from "./schema";

/** While one of them runs, and while none does: others make new ones. */
const RUNNING_MS = 2_000;
const IDLE_MS = 15_000;

const anybodysKey = [...jobKeys.all, "anybodys"] as const;

/** The newest jobs of all users, or those of them that have the search in their name or id; at most 100. */
export const anybodysJobsQuery = (search: string) =>
  queryOptions({
    queryKey: [...anybodysKey, search],
    queryFn: ({ signal }) => call(api.GET("/api/v1/admin/jobs", { params: { query: { ...(search && { search }) } }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(({ job }) => isRunning(job)) ? RUNNING_MS : IDLE_MS),
  });

export const useRetryAnybodysJob = () =>
  useAction((id) => call(api.POST("/api/v1/admin/jobs/{id}/retry", { params: { path: { id } } })));

export const useCancelAnybodysJob = () =>
  useAction((id) => call(api.POST("/api/v1/admin/jobs/{id}/cancel", { params: { path: { id } } })));

function useAction(action: (id: string) => Promise<Job>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: action,
    onSettled: () => queryClient.invalidateQueries({ queryKey: jobKeys.all }),
  });
}
