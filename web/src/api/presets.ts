/** Presets: public ones and one's own. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { PresetCategory, PresetForm } from "@/rules";
import { apiFetch } from "./client";
import type { TranscriptionSettings, TranscriptionType } from "./schema";

/** Until the document has it. */
export interface Preset {
  id: string;
  preset_id: string;
  name: string;
  name_en: string | null;
  description: string | null;
  description_en: string | null;
  category: PresetCategory;
  is_public: boolean;
  is_default: boolean;
  transcription_type: TranscriptionType;
  language_code: string;
  settings: TranscriptionSettings;
  usage_count: number;
  is_system: boolean;
  is_own: boolean;
  created_at: string;
  updated_at: string;
}

export const presetKeys = { all: ["presets"] as const };

async function ask<T>(path: string, init: RequestInit = {}): Promise<T> {
  const headers = init.body ? { "content-type": "application/json" } : {};
  const response = await apiFetch(`/api/v1/presets${path}`, { ...init, headers });
  return (response.status === 204 ? undefined : await response.json()) as T;
}

/** All that the caller sees, by category, then name. */
export const presetsQuery = () =>
  queryOptions({
    queryKey: presetKeys.all,
    queryFn: async ({ signal }) => (await ask<{ presets: Preset[] }>("", { signal })).presets,
  });

export const useCreatePreset = () =>
  usePresetAction((form: PresetForm) => ask<Preset>("", { method: "POST", body: JSON.stringify(form) }));

export const useUpdatePreset = () =>
  usePresetAction(({ id, form }: { id: string; form: PresetForm }) =>
    ask<Preset>(`/${id}`, { method: "PUT", body: JSON.stringify(form) }),
  );

export const useImportPresets = () =>
  usePresetAction(async (presets: unknown) =>
    (await ask<{ presets: Preset[] }>("/import", { method: "POST", body: JSON.stringify({ presets }) })).presets,
  );

/** Deletes for good. `keepalive` lets the request outlive the page. */
export const deletePreset = (id: string, keepalive = false): Promise<unknown> => ask(`/${id}`, { method: "DELETE", keepalive });

function usePresetAction<Input, Output>(action: (input: Input) => Promise<Output>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: action,
    onSettled: () => queryClient.invalidateQueries({ queryKey: presetKeys.all }),
  });
}
