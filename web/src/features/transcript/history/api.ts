/** Requests of the history, and of restoring earlier states. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, call } from "@/api";
import { jobKeys } from "@/api/jobs";
import { readText } from "@/api/text";
import type { Point } from "./points";

const historyKey = (id: string) => ["history", id] as const;

/** Refetched whenever it is opened, because others edit, too. */
export const historyQuery = (id: string) =>
  queryOptions({
    queryKey: historyKey(id),
    queryFn: ({ signal }) => call(api.GET("/api/v1/jobs/{id}/history", { params: { path: { id } }, signal })),
    staleTime: 0,
  });

/** A past state never changes. */
export const pastTextQuery = (id: string, { version, at }: Point) =>
  queryOptions({
    queryKey: [...historyKey(id), "text", version, at],
    queryFn: ({ signal }) => readText(id, { version, at }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const diffQuery = (id: string, from: Point, to: Point) =>
  queryOptions({
    queryKey: [...historyKey(id), "diff", from.version, from.at, to.version, to.at],
    queryFn: ({ signal }) =>
      call(
        api.GET("/api/v1/jobs/{id}/diff", {
          params: {
            path: { id },
            query: { from_version: from.version, from_at: from.at, to_version: to.version, to_at: to.at },
          },
          signal,
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });

export function useCreateMark(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: { version: number; name: string }) =>
      call(api.POST("/api/v1/jobs/{id}/marks", { params: { path: { id } }, body })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: historyKey(id), exact: true }),
  });
}

export function useDeleteMark(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (markId: string) =>
      call(api.DELETE("/api/v1/jobs/{id}/marks/{mark_id}", { params: { path: { id, mark_id: markId } } })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: historyKey(id), exact: true }),
  });
}

interface Restoration {
  version: number;
  /** Null keeps the run's latest edits. */
  at: number | null;
  client: string;
  edit_id: string;
}

export const restore = (id: string, body: Restoration) =>
  call(api.POST("/api/v1/jobs/{id}/restore", { params: { path: { id } }, body }));

/** Refetches what the page shows of the job. */
export function useRefetchText(id: string): () => Promise<void> {
  const queryClient = useQueryClient();
  return async () => {
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: historyKey(id), exact: true }),
      queryClient.invalidateQueries({ queryKey: ["transcript", id] }),
      queryClient.invalidateQueries({ queryKey: [...jobKeys.all, "one", id] }),
    ]);
  };
}
