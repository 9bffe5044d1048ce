/** Jobs of all users, for administrators. */
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { midnight } from "@/lib/local-day";
import { api, call } from "./client";
import { isRunning, jobKeys } from "./jobs";
import type { JobStatus } from "./schema";

export type { AdminJob } from "./schema";

/** Polling intervals in ms, while a job is running and otherwise: other users add new ones. */
const RUNNING_MS = 2_000;
const IDLE_MS = 15_000;

const adminJobsKey = [...jobKeys.all, "admin"] as const;

export interface AdminJobFilter {
  /** Part of the file's name or of the job's id. */
  q?: string;
  /** Part of the owner's address or name. */
  user?: string;
  status?: JobStatus;
  /** Inclusive dates in the reader's time zone, `2026-11-21`. */
  from?: string;
  to?: string;
}

/** The newest jobs of all users that match the filter; at most 100. */
export const adminJobsQuery = ({ q, from, to, ...rest }: AdminJobFilter) =>
  queryOptions({
    queryKey: [...adminJobsKey, { q, from, to, ...rest }],
    queryFn: ({ signal }) => {
      const query = {
        ...rest,
        ...(q && { search: q }),
        ...(from && { from: midnight(from) }),
        ...(to && { to: midnight(to, 1) }),
      };
      return call(api.GET("/api/v1/admin/jobs", { params: { query }, signal }));
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(({ job }) => isRunning(job)) ? RUNNING_MS : IDLE_MS),
  });

export const useRetryAdminJob = () =>
  useAction((id) => call(api.POST("/api/v1/admin/jobs/{id}/retry", { params: { path: { id } } })));

export const useCancelAdminJob = () =>
  useAction((id) => call(api.POST("/api/v1/admin/jobs/{id}/cancel", { params: { path: { id } } })));

/** Deletes a job with its recording and its texts. */
export const useDeleteAdminJob = () =>
  useAction((id) => call(api.DELETE("/api/v1/admin/jobs/{id}", { params: { path: { id } } })));

function useAction<Result>(action: (id: string) => Promise<Result>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: action,
    onSettled: () => queryClient.invalidateQueries({ queryKey: jobKeys.all }),
  });
}
