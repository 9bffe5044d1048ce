/** Search over all of the user's transcripts. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { PASSAGES_PAGE, SEARCH_PAGE } from "@/rules/constants";
import { api, call } from "./client";
import { jobKeys } from "./jobs";

export type { FoundJob, SearchHit } from "./schema";

// Under the key of all jobs, because changes of jobs affect the results.
const key = (q: string, ...rest: readonly unknown[]) => [...jobKeys.all, "search", q, ...rest];

const find = (q: string, limit: number, cursor: string | null, signal: AbortSignal) =>
  call(api.GET("/api/v1/search", { params: { query: { q, limit, ...(cursor === null ? {} : { cursor }) } }, signal }));

/** All results, page by page, the best first. */
export const searchQuery = (q: string) =>
  infiniteQueryOptions({
    queryKey: key(q),
    queryFn: ({ pageParam, signal }) => find(q, SEARCH_PAGE, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor ?? null,
    placeholderData: keepPreviousData,
  });

/** All matches in one recording, page by page, in order of time. */
export const matchesQuery = (jobId: string, q: string) =>
  infiniteQueryOptions({
    queryKey: key(q, "places", jobId),
    queryFn: ({ pageParam, signal }) =>
      call(
        api.GET("/api/v1/search/{id}", {
          params: {
            path: { id: jobId },
            query: { q, limit: PASSAGES_PAGE, ...(pageParam === null ? {} : { cursor: pageParam }) },
          },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor ?? null,
  });

/** The best few results. */
export const bestResultsQuery = (q: string, limit: number) =>
  queryOptions({
    queryKey: key(q, "few", limit),
    queryFn: ({ signal }) => find(q, limit, null, signal),
    enabled: q !== "",
    placeholderData: keepPreviousData,
  });
