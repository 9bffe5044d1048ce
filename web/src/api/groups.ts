/** The reader's tags and folders, and assigning jobs to them. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, call } from "./client";
import { batchesOf, jobKeys } from "./jobs";
import type { JobGroup, JobGroupForm } from "./schema";

export type { JobGroup };

/** A job has any number of tags and at most one folder. */
export type GroupKind = "tags" | "folders";

const groupKeys = { all: ["groups"] as const };

export const groupsQuery = (kind: GroupKind) =>
  queryOptions({
    queryKey: [...groupKeys.all, kind],
    queryFn: ({ signal }): Promise<readonly JobGroup[]> =>
      call(kind === "tags" ? api.GET("/api/v1/tags", { signal }) : api.GET("/api/v1/folders", { signal })),
  });

interface Change {
  kind: GroupKind;
  /** Absent for a new one. */
  id?: string;
  form: JobGroupForm;
}

/** Creates or changes a tag or a folder. */
export const useSaveGroup = () =>
  useGroupChange(({ kind, id, form: body }: Change): Promise<JobGroup> => {
    if (id === undefined)
      return call(kind === "tags" ? api.POST("/api/v1/tags", { body }) : api.POST("/api/v1/folders", { body }));
    const init = { params: { path: { id } }, body };
    return call(kind === "tags" ? api.PUT("/api/v1/tags/{id}", init) : api.PUT("/api/v1/folders/{id}", init));
  });

export const useRemoveGroup = () =>
  useGroupChange(({ kind, id }: { kind: GroupKind; id: string }): Promise<unknown> => {
    const init = { params: { path: { id } } };
    return call(kind === "tags" ? api.DELETE("/api/v1/tags/{id}", init) : api.DELETE("/api/v1/folders/{id}", init));
  });

/** Adds or removes a tag, or moves to a folder; null removes jobs from their folder. */
export type Sorting = { tag: string; on: boolean } | { folder: string | null };

/** Assigns jobs; returns what failed. */
export function useSortJobs() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ jobs: ids, by }: { jobs: readonly string[]; by: Sorting }) => {
      const refused: string[] = [];
      for (const some of batchesOf(ids)) {
        const jobs = [...some];
        const { results } = await call(
          "tag" in by
            ? api.POST("/api/v1/jobs/bulk/tag", { body: { jobs, ...by } })
            : api.POST("/api/v1/jobs/bulk/folder", { body: { jobs, ...by } }),
        );
        refused.push(...results.flatMap(({ code }) => code ?? []));
      }
      return refused;
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: jobKeys.all }),
  });
}

/** The rows of jobs show their groups, so they are refetched too. */
function useGroupChange<Input, Output>(mutationFn: (input: Input) => Promise<Output>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: async () => {
      await queryClient.invalidateQueries({ queryKey: groupKeys.all });
      void queryClient.invalidateQueries({ queryKey: jobKeys.all });
    },
  });
}
