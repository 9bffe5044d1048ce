/** Presets: named settings, public ones and the caller's own. */
import { queryOptions } from "@tanstack/react-query";
import { apiFetch } from "./client";
import type { TranscriptionSettings, TranscriptionType } from "./schema";

// Stands here until the document of the API names it.
export interface Preset {
  id: string;
  preset_id: string;
  name: string;
  name_en: string | null;
  description: string | null;
  description_en: string | null;
  category: string;
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

/** By category, then by name. */
export const presetsQuery = () =>
  queryOptions({
    queryKey: presetKeys.all,
    queryFn: async ({ signal }): Promise<Preset[]> => {
      const answer = await apiFetch("/api/v1/presets", { signal });
      return ((await answer.json()) as { presets: Preset[] }).presets;
    },
  });
