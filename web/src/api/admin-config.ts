/** What administrators configure: limits and switches, models, the endpoints for speech and for analyses, mail. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Locale } from "@/lib/i18n";
import { setupKey } from "./admin-setup";
import { api, call } from "./client";
import type { AnalysisEndpointForm, ManagedModels, ServerSettings, SpeechEndpointSettings, TranscriptionType } from "./schema";

export type {
  AnalysisEndpoint,
  AnalysisEndpointForm,
  EndpointKey,
  EndpointTest,
  MailTest,
  ManagedModel,
  ManagedModels,
  ServerLimits,
  ServerSettings,
  ServerSettingsView,
  SpeechEndpoint,
  SpeechEndpointSettings,
  Switches,
} from "./schema";

const settingsKey = ["admin", "settings"] as const;
const modelsKey = ["admin", "models"] as const;
const endpointKey = ["admin", "analysis-endpoint"] as const;
const speechKey = ["admin", "speech-endpoint"] as const;
/** Queries that show parts of the configuration on other pages. */
const TOLD = [["capabilities"], ["auth", "options"]] as const;
/** Polling interval for a model's task, in ms. */
const WATCH_MS = 1_000;

export const serverSettingsQuery = () =>
  queryOptions({
    queryKey: settingsKey,
    queryFn: ({ signal }) => call(api.GET("/api/v1/admin/settings", { signal })),
  });

export function useSaveSettings() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: ServerSettings) => call(api.PUT("/api/v1/admin/settings", { body })),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: settingsKey });
      for (const queryKey of TOLD) void queryClient.invalidateQueries({ queryKey });
    },
  });
}

const isBusy = (models: ManagedModels | undefined) => models?.models.some(({ task }) => task !== null) ?? false;

/** All models; polled while one of them has a task, also after a reload. */
export const modelsQuery = () =>
  queryOptions({
    queryKey: modelsKey,
    queryFn: ({ signal }) => call(api.GET("/api/v1/admin/models", { signal })),
    refetchInterval: ({ state }) => (isBusy(state.data) ? WATCH_MS : false),
  });

export type ModelAction = "pull" | "cancel" | "verify" | "remove";

function act(id: string, action: ModelAction) {
  const params = { params: { path: { id } } };
  switch (action) {
    case "pull":
      return call(api.POST("/api/v1/admin/models/{id}/pull", params));
    case "cancel":
      return call(api.DELETE("/api/v1/admin/models/{id}/pull", params));
    case "verify":
      return call(api.POST("/api/v1/admin/models/{id}/verify", params));
    case "remove":
      return call(api.DELETE("/api/v1/admin/models/{id}", params));
  }
}

/** Refetches the list and the part of the setup that depends on it. */
function useModelsChanged() {
  const queryClient = useQueryClient();
  return () => {
    void queryClient.invalidateQueries({ queryKey: setupKey });
    return queryClient.invalidateQueries({ queryKey: modelsKey });
  };
}

export function useModelAction() {
  return useMutation({
    mutationFn: ({ id, action }: { id: string; action: ModelAction }) => act(id, action),
    onSettled: useModelsChanged(),
  });
}

/** Uses a model for a mode, with immediate effect. */
export function useChooseModel() {
  return useMutation({
    mutationFn: ({ id, mode }: { id: string; mode: TranscriptionType }) =>
      call(api.PUT("/api/v1/admin/models/{id}/use", { params: { path: { id } }, body: { mode } })),
    onSettled: useModelsChanged(),
  });
}

export const analysisEndpointQuery = () =>
  queryOptions({
    queryKey: endpointKey,
    queryFn: ({ signal }) => call(api.GET("/api/v1/admin/analysis-endpoint", { signal })),
  });

/** Shows the saved endpoint, and refetches what depends on it elsewhere. */
function useEndpointSaved(queryKey: typeof endpointKey | typeof speechKey) {
  const queryClient = useQueryClient();
  return (endpoint: object) => {
    queryClient.setQueryData(queryKey, endpoint);
    for (const key of [setupKey, ...TOLD]) void queryClient.invalidateQueries({ queryKey: key });
  };
}

export const useSaveEndpoint = () =>
  useMutation({
    mutationFn: (body: AnalysisEndpointForm) => call(api.PUT("/api/v1/admin/analysis-endpoint", { body })),
    onSuccess: useEndpointSaved(endpointKey),
  });

export const useTestEndpoint = () => useMutation({ mutationFn: () => call(api.POST("/api/v1/admin/analysis-endpoint/test")) });

export const speechEndpointQuery = () =>
  queryOptions({
    queryKey: speechKey,
    queryFn: ({ signal }) => call(api.GET("/api/v1/admin/speech-endpoint", { signal })),
  });

export const useSaveSpeechEndpoint = () =>
  useMutation({
    // Without a key, the stored one is kept.
    mutationFn: ({ key, ...settings }: SpeechEndpointSettings & { key?: string }) =>
      call(api.PUT("/api/v1/admin/speech-endpoint", { body: { ...settings, key: key ?? null } })),
    onSuccess: useEndpointSaved(speechKey),
  });

export const useTestSpeechEndpoint = () =>
  useMutation({ mutationFn: () => call(api.POST("/api/v1/admin/speech-endpoint/test")) });

export const mailWayQuery = () =>
  queryOptions({
    queryKey: ["admin", "mail"],
    queryFn: ({ signal }) => call(api.GET("/api/v1/admin/mail", { signal })),
  });

/** Sends a test mail to the signed-in administrator. */
export function useTestMail() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (locale: Locale) => call(api.POST("/api/v1/admin/mail/test", { body: { locale } })),
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: setupKey }),
  });
}
