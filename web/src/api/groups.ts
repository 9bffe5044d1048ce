/** Tags and folders of the reader's, and sorting jobs by them. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, call } from "./client";
import { jobKeys, portions } from "./jobs";
import type { JobGroup, JobGroupForm } from "./schema";

export type { JobGroup };

/** By what jobs are sorted: several tags each, and one folder at most. */
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
  /** Without one it is a new one. */
  id?: string;
  form: JobGroupForm;
}

/** Makes a tag or a folder, or gives one another name and colour. */
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

/** A tag that jobs get or lose, or a folder that they are moved to; null takes them out of theirs. */
export type Sorting = { tag: string; on: boolean } | { folder: string | null };

/** Sorts jobs; with what could not be done. */
export function useSortJobs() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ jobs: ids, by }: { jobs: readonly string[]; by: Sorting }) => {
      const refused: string[] = [];
      for (const some of portions(ids)) {
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

/** What changes a group changes what the rows of jobs show. */
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
