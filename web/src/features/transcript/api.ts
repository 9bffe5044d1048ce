/** The calls of one transcription page. */
import { queryOptions } from "@tanstack/react-query";
import { api, apiFetch, call } from "@/api";
import { jobKeys } from "@/api/jobs";

export type ExportFormat = "txt" | "srt" | "vtt" | "json";

export const EXPORT_FORMATS: readonly ExportFormat[] = ["txt", "srt", "vtt", "json"];

export const jobQuery = (id: string) =>
  queryOptions({
    queryKey: [...jobKeys.all, "one", id],
    queryFn: ({ signal }) => call(api.GET("/api/v1/jobs/{id}", { params: { path: { id } }, signal })),
  });

/** The recognition is immutable: what has been read once stays true. */
export const transcriptQuery = (id: string) =>
  queryOptions({
    queryKey: ["transcript", id],
    queryFn: ({ signal }) => call(api.GET("/api/v1/jobs/{id}/transcript", { params: { path: { id } }, signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** A media element cannot send a header, so it gets a signed link. Each call gives another one. */
export const fetchMediaLink = (id: string, signal?: AbortSignal) =>
  call(api.POST("/api/v1/jobs/{id}/media-link", { params: { path: { id } }, ...(signal && { signal }) }));

/** The links serve for 6 h; a new one is there well before that. */
const LINK_FRESH_MS = 3 * 3_600_000;

/** The player's link; nobody else may ask under its key, for a new answer is a new source to the player. */
export const mediaLinkQuery = (id: string) =>
  queryOptions({
    queryKey: ["media-link", id],
    queryFn: ({ signal }) => fetchMediaLink(id, signal),
    staleTime: LINK_FRESH_MS,
    gcTime: 0,
    refetchInterval: LINK_FRESH_MS,
    // A recording is mostly heard with the page in the background.
    refetchIntervalInBackground: true,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

export function openEvents(id: string, signal: AbortSignal): Promise<Response> {
  return apiFetch(`/api/v1/jobs/${encodeURIComponent(id)}/events`, {
    headers: { accept: "text/event-stream" },
    cache: "no-store",
    signal,
  });
}

export async function fetchExport(id: string, format: ExportFormat): Promise<{ blob: Blob; filename: string | null }> {
  const response = await apiFetch(`/api/v1/jobs/${encodeURIComponent(id)}/export?format=${format}`);
  return { blob: await response.blob(), filename: filenameOf(response.headers.get("content-disposition")) };
}

/** The name in a Content-Disposition header, the extended form (RFC 5987) first. */
export function filenameOf(header: string | null): string | null {
  const extended = header?.match(/filename\*\s*=\s*utf-8''([^;]+)/i)?.[1];
  if (extended !== undefined) {
    try {
      return decodeURIComponent(extended.trim());
    } catch {
      return null;
    }
  }
  return header?.match(/filename\s*=\s*"((?:[^"\\]|\\.)*)"/i)?.[1]?.replace(/\\(.)/g, "$1") ?? null;
}
