/**
 * Links to a job's recording. A media element cannot send headers, so it gets a signed link; each request returns a new
 * one.
 */
import { queryOptions } from "@tanstack/react-query";
import { api, call } from "./client";

export const fetchMediaLink = (id: string, signal?: AbortSignal) =>
  call(api.POST("/api/v1/jobs/{id}/media-link", { params: { path: { id } }, ...(signal && { signal }) }));

/** Links are valid for 6 h; a new one is fetched well before. */
const LINK_FRESH_MS = 3 * 3_600_000;

/** The player's link. The query key must not be shared, because a new response is a new source for the player. */
export const mediaLinkQuery = (id: string) =>
  queryOptions({
    queryKey: ["media-link", id],
    queryFn: ({ signal }) => fetchMediaLink(id, signal),
    staleTime: LINK_FRESH_MS,
    gcTime: 0,
    refetchInterval: LINK_FRESH_MS,
    // Recordings are mostly played with the page in the background.
    refetchIntervalInBackground: true,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
