/** Requests of a transcription page. */
import { queryOptions } from "@tanstack/react-query";
import { api, apiFetch, call } from "@/api";
import { jobKeys } from "@/api/jobs";

export const jobQuery = (id: string) =>
  queryOptions({
    queryKey: [...jobKeys.all, "one", id],
    queryFn: ({ signal }) => call(api.GET("/api/v1/jobs/{id}", { params: { path: { id } }, signal })),
  });

export function openEvents(id: string, signal: AbortSignal): Promise<Response> {
  return apiFetch(`/api/v1/jobs/${encodeURIComponent(id)}/events`, {
    headers: { accept: "text/event-stream" },
    cache: "no-store",
    signal,
  });
}
