/** Jobs as the list pages see them: fetchers, query options, mutations. */
import { infiniteQueryOptions, keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { midnight } from "@/lib/local-day";
import { canCancel, canRetry, statusLabel } from "@/rules";
import { JOBS_PAGE, MAX_JOBS_AT_ONCE } from "@/rules/constants";
import { api, call } from "./client";
import type { Job, JobStatus, TranscriptionType } from "./schema";

/** Polling interval of lists, in ms; the page of a running job uses events instead. */
const POLL_MS = 2_000;

export interface JobFilter {
  /** Part of the title or of the file's name. */
  q?: string;
  status?: JobStatus;
  mode?: TranscriptionType;
  /** Code of the recording's language. */
  language?: string;
  /** Ids of a tag and of a folder. */
  tag?: string;
  folder?: string;
  /** The first day and the last one, as `2026-11-21`, in the reader's time zone. */
  from?: string;
  to?: string;
}

const queryOf = ({ from, to, ...rest }: JobFilter) => ({
  ...rest,
  ...(from && { from: midnight(from) }),
  ...(to && { to: midnight(to, 1) }),
});

export const isRunning = (job: Job): boolean => rule(canCancel, job);
export const canRunAgain = (job: Job): boolean => rule(canRetry, job);
export const hasFailed = (job: Job): boolean => rule((status) => statusLabel(status) === "error", job);

/** An unknown status, from a newer server, allows nothing, but is still shown. */
function rule(allows: (status: JobStatus) => boolean, job: Job): boolean {
  try {
    return allows(job.status);
  } catch {
    return false;
  }
}

const pollWhile = (jobs: readonly Job[] | undefined) => (jobs?.some(isRunning) ? POLL_MS : false);

export const jobKeys = { all: ["jobs"] as const };

/** The dashboard: texts to continue with, and the newest jobs with excerpts. */
export const dashboardQuery = () =>
  queryOptions({
    queryKey: [...jobKeys.all, "dashboard"],
    queryFn: ({ signal }) => call(api.GET("/api/v1/me/dashboard", { signal })),
    // Refetched on return from a text, to show its changes.
    staleTime: 0,
    refetchInterval: (query) => pollWhile(query.state.data?.recent.map(({ job }) => job)),
  });

/** Reports that the reader works on one of their texts. A failure has no effect for them, so it is ignored. */
export const reportOpened = (id: string): Promise<void> =>
  call(api.POST("/api/v1/jobs/{id}/opened", { params: { path: { id } } })).then(
    () => undefined,
    () => undefined,
  );

/** The newest jobs, with their titles. */
export const recentJobsQuery = (limit: number) =>
  queryOptions({
    queryKey: [...jobKeys.all, "recent", limit],
    queryFn: ({ signal }) => call(api.GET("/api/v1/jobs", { params: { query: { limit } }, signal })),
    refetchInterval: (query) => pollWhile(query.state.data?.items),
  });

/** Counts and seconds over all jobs. */
export const jobsSummaryQuery = () =>
  queryOptions({
    queryKey: [...jobKeys.all, "summary"],
    queryFn: ({ signal }) => call(api.GET("/api/v1/jobs/summary", { signal })),
    refetchInterval: (query) => {
      const summary = query.state.data;
      return summary && summary.pending + summary.processing > 0 ? POLL_MS : false;
    },
  });

/** All jobs that match, page by page, in the server's syntax for sort orders. */
export const jobListQuery = (filter: JobFilter, sort: string) =>
  infiniteQueryOptions({
    queryKey: [...jobKeys.all, "list", filter, sort],
    queryFn: ({ pageParam, signal }) =>
      call(
        api.GET("/api/v1/jobs", {
          params: { query: { limit: JOBS_PAGE, sort, ...queryOf(filter), ...(pageParam === null ? {} : { cursor: pageParam }) } },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor ?? null,
    placeholderData: keepPreviousData,
    refetchInterval: (query) => {
      const pages = query.state.data?.pages ?? [];
      const interval = pollWhile(pages.flatMap((page) => page.items));
      // Every page is refetched, so long lists are polled less often.
      return interval && interval * pages.length;
    },
  });

/** Sets a job's title; empty restores the default, the file's name. */
export const setTitle = (id: string, title: string): Promise<Job> =>
  call(api.PUT("/api/v1/jobs/{id}/title", { params: { path: { id } }, body: { title } }));

export const useCancelJob = () => useJobAction((id) => call(api.POST("/api/v1/jobs/{id}/cancel", { params: { path: { id } } })));

export const useRetryJob = () => useJobAction((id) => call(api.POST("/api/v1/jobs/{id}/retry", { params: { path: { id } } })));

/** Deletes permanently. `keepalive` lets the request outlive the page. */
export async function deleteJobs(ids: readonly string[], keepalive = false): Promise<void> {
  const [only] = ids;
  if (only !== undefined && ids.length === 1) {
    await call(api.DELETE("/api/v1/jobs/{id}", { params: { path: { id: only } }, keepalive }));
    return;
  }
  // Sent in parallel: on a page that is being closed, no code runs after the first response.
  await Promise.all(
    batchesOf(ids).map((jobs) => call(api.POST("/api/v1/jobs/bulk/delete", { body: { jobs: [...jobs] }, keepalive }))),
  );
}

/** Runs the ended jobs again; returns how many failed to start. */
export function useRetryJobs() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (ids: readonly string[]) => {
      let refused = 0;
      for (const jobs of batchesOf(ids)) {
        const { results } = await call(api.POST("/api/v1/jobs/bulk/retry", { body: { jobs: [...jobs] } }));
        refused += results.filter((result) => result.code).length;
      }
      return refused;
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: jobKeys.all }),
  });
}

export const batchesOf = (ids: readonly string[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(ids.length / MAX_JOBS_AT_ONCE) }, (_, at) =>
    ids.slice(at * MAX_JOBS_AT_ONCE, (at + 1) * MAX_JOBS_AT_ONCE),
  );

function useJobAction(action: (id: string) => Promise<Job>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: action,
    onSettled: () => queryClient.invalidateQueries({ queryKey: jobKeys.all }),
  });
}
