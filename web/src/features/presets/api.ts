/** What changes presets. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { apiFetch } from "@/api";
import { type Preset, presetKeys } from "@/api/presets";
import type { PresetForm } from "@/rules";

async function send<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await apiFetch(`/api/v1/presets${path}`, {
    method,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Answer;
}

export const useCreatePreset = () => usePresetAction((form: PresetForm) => send<Preset>("POST", "", form));

interface PresetUpdate {
  id: string;
  form: PresetForm;
}

export const useUpdatePreset = () => usePresetAction(({ id, form }: PresetUpdate) => send<Preset>("PUT", `/${id}`, form));

/** Takes what was pasted, parsed: an array of presets, or a single one. */
export const useImportPresets = () =>
  usePresetAction(async (presets: unknown) => (await send<{ presets: Preset[] }>("POST", "/import", { presets })).presets);

/** Deletes for good. `keepalive` lets the request outlive the page. */
export const deletePreset = (id: string, keepalive = false): Promise<unknown> =>
  apiFetch(`/api/v1/presets/${id}`, { method: "DELETE", keepalive });

function usePresetAction<Input, Output>(action: (input: Input) => Promise<Output>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: action,
    onSettled: () => queryClient.invalidateQueries({ queryKey: presetKeys.all }),
  });
}
