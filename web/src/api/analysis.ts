/** Requests for analyses of a text. */
import { queryOptions } from "@tanstack/react-query";
import { api, apiFetch, call } from "./client";
import type { Analysis, NewAnalysis } from "./schema";

export type {
  Analysis,
  AnalysisOverview as AnalysisView,
  AvailablePart,
  Chapters,
  Classification,
  EngineName,
  Keywords,
  LabelScore,
  Mood,
  NewAnalysis as AskForm,
  Outcome,
  Part,
  PromptAnswer,
  Sentiment,
  SentimentPoint,
  Summary,
  TranslatedCue,
  TranslatedSegment,
  TranslationTarget,
} from "./schema";

/** Polling interval in ms while an analysis is in progress; events can refresh it sooner. */
const POLL_MS = 2_000;

const pathOf = (id: string) => `/api/v1/jobs/${encodeURIComponent(id)}/analysis`;

export const analysisKey = (id: string) => ["analysis", id] as const;

export const isInProgress = ({ status }: Pick<Analysis, "status">): boolean => status === "waiting" || status === "running";

/** All results of one run of recognition, the newest first within a part and target. */
export const analysisQuery = (id: string, version: number) =>
  queryOptions({
    queryKey: [...analysisKey(id), version],
    queryFn: ({ signal }) =>
      call(api.GET("/api/v1/jobs/{id}/analysis", { params: { path: { id }, query: { version } }, signal })),
    // On reopening, results and edits made in the meantime are loaded.
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.parts.some(isInProgress) ? POLL_MS : false),
  });

export const askForPart = (id: string, body: NewAnalysis): Promise<Analysis> =>
  call(api.POST("/api/v1/jobs/{id}/analysis", { params: { path: { id } }, body }));

/** Deletes a result permanently. `keepalive` lets the request outlive the page. */
export async function removeAnalysis(id: string, analysis: string, keepalive = false): Promise<void> {
  await apiFetch(`${pathOf(id)}/${encodeURIComponent(analysis)}`, { method: "DELETE", keepalive });
}
