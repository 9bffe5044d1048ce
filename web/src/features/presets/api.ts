/** What changes presets. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, call } from "@/api";
import { presetKeys } from "@/api/presets";
import type { FilledForm } from "./settings-of";

export const useCreatePreset = () => usePresetAction((form: FilledForm) => call(api.POST("/api/v1/presets", { body: form })));

interface PresetUpdate {
  id: string;
  form: FilledForm;
}

export const useUpdatePreset = () =>
  usePresetAction(({ id, form }: PresetUpdate) =>
    call(api.PUT("/api/v1/presets/{id}", { params: { path: { id } }, body: form })),
  );

/** Takes what was pasted, parsed: an array of presets, or a single one. */
export const useImportPresets = () =>
  usePresetAction(async (presets: unknown) => (await call(api.POST("/api/v1/presets/import", { body: { presets } }))).presets);

/** Deletes for good. `keepalive` lets the request outlive the page. */
export const deletePreset = (id: string, keepalive = false): Promise<unknown> =>
  call(api.DELETE("/api/v1/presets/{id}", { params: { path: { id } }, keepalive }));

function usePresetAction<Input, Output>(action: (input: Input) => Promise<Output>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: action,
    onSettled: () => queryClient.invalidateQueries({ queryKey: presetKeys.all }),
  });
}
