/** Presets of all users, for administrators. */
import { infiniteQueryOptions, keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { PresetCategory } from "@/rules";
import { ADMIN_PAGE } from "@/rules/constants";
import { api, call } from "./client";
import { deletePreset, presetKeys } from "./presets";
import type { TranscriptionType } from "./schema";

export type { ManagedPreset } from "./schema";

export interface ManagedPresetFilter {
  /** Part of the name. */
  q?: string;
  category?: PresetCategory;
  mode?: TranscriptionType;
}

/** The most used first, page by page. Refetched whenever any preset changes. */
export const managedPresetsQuery = ({ q, category, mode }: ManagedPresetFilter) =>
  infiniteQueryOptions({
    queryKey: [...presetKeys.all, "managed", { q, category, mode }],
    queryFn: ({ pageParam, signal }) =>
      call(
        api.GET("/api/v1/admin/presets", {
          params: {
            query: {
              limit: ADMIN_PAGE,
              ...(q && { search: q }),
              ...(category && { category }),
              ...(mode && { transcription_type: mode }),
              ...(pageParam !== null && { cursor: pageParam }),
            },
          },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor ?? null,
    placeholderData: keepPreviousData,
  });

/** The built-in presets: their number, and how many were changed or deleted. */
export const standardPresetsQuery = () =>
  queryOptions({
    queryKey: [...presetKeys.all, "standard"],
    queryFn: ({ signal }) => call(api.GET("/api/v1/admin/presets/standard", { signal })),
  });

/** Restores the built-in presets, including those that were changed or deleted. */
export const useLoadStandard = () => useManagedAction(() => call(api.POST("/api/v1/admin/presets/standard")));

/** Imports system presets from pasted JSON: an array of presets, or a single one. */
export const useImportSystemPresets = () =>
  useManagedAction(
    async (presets: unknown) => (await call(api.POST("/api/v1/admin/presets/import", { body: { presets } }))).presets,
  );

export const useDeleteManaged = () => useManagedAction((id: string) => deletePreset(id));

function useManagedAction<Input, Result>(action: (input: Input) => Promise<Result>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: action,
    onSettled: () => queryClient.invalidateQueries({ queryKey: presetKeys.all }),
  });
}
