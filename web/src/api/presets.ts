/** Presets: named settings, public ones and the caller's own. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, call } from "./client";
import type { PresetForm } from "./schema";

export type { Preset, PresetForm } from "./schema";

export const presetKeys = { all: ["presets"] as const };

/** By category, then by name. */
export const presetsQuery = () =>
  queryOptions({
    queryKey: presetKeys.all,
    queryFn: async ({ signal }) => (await call(api.GET("/api/v1/presets", { signal }))).presets,
  });

export const useCreatePreset = () => usePresetsAction((form: PresetForm) => call(api.POST("/api/v1/presets", { body: form })));

export const useUpdatePreset = () =>
  usePresetsAction(({ id, form }: { id: string; form: PresetForm }) =>
    call(api.PUT("/api/v1/presets/{id}", { params: { path: { id } }, body: form })),
  );

/** Imports private presets from pasted JSON: an array of presets, or a single one. */
export const useImportPresets = () =>
  usePresetsAction(async (presets: unknown) => (await call(api.POST("/api/v1/presets/import", { body: { presets } }))).presets);

/** Deletes permanently. `keepalive` lets the request outlive the page. */
export const deletePreset = (id: string, keepalive = false): Promise<unknown> =>
  call(api.DELETE("/api/v1/presets/{id}", { params: { path: { id } }, keepalive }));

function usePresetsAction<Input, Result>(action: (input: Input) => Promise<Result>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: action,
    onSettled: () => queryClient.invalidateQueries({ queryKey: presetKeys.all }),
  });
}
