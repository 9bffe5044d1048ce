/** Requests of a transcript that is being edited. */
import { queryOptions } from "@tanstack/react-query";
import { api, apiFetch, call } from "@/api";
import { readText } from "@/api/text";
import type { Edit } from "./model";

export const transcriptKey = (jobId: string) => ["transcript", jobId] as const;

/** The shown run with its edits. It is fetched once; later changes are handled by the document. */
export const editedTranscriptQuery = (id: string, client: string) =>
  queryOptions({
    queryKey: transcriptKey(id),
    queryFn: ({ signal }) => readText(id, { client }, signal),
    staleTime: Number.POSITIVE_INFINITY,
    // A page that is opened again fetches edits made in the meantime.
    gcTime: 0,
  });

/** Sends edits; `leaving` lets the request outlive the page. */
export const sendEdits = (id: string, client: string, version: number, edits: Edit[], leaving: boolean) =>
  call(
    api.POST("/api/v1/jobs/{id}/edits", {
      params: { path: { id } },
      body: { version, client, edits },
      keepalive: leaving,
    }),
  );

/** Undoes or redoes the newest edit of this tab. */
export function stepEdits(id: string, client: string, direction: "undo" | "redo", version: number, edit_id: string) {
  const request = { params: { path: { id } }, body: { version, client, edit_id } };
  return direction === "undo"
    ? call(api.POST("/api/v1/jobs/{id}/edits/undo", request))
    : call(api.POST("/api/v1/jobs/{id}/edits/redo", request));
}

/** Edits after `since`, at most 500. */
export const listEdits = (id: string, version: number, since: number, signal: AbortSignal) =>
  call(api.GET("/api/v1/jobs/{id}/edits", { params: { path: { id }, query: { version, since } }, signal }));

/** The stream of edits by all authors after `since`. */
export const openEditEvents = (id: string, version: number, since: number, signal: AbortSignal) =>
  apiFetch(`/api/v1/jobs/${encodeURIComponent(id)}/edits/events?version=${version}&since=${since}`, {
    headers: { accept: "text/event-stream" },
    cache: "no-store",
    signal,
  });
