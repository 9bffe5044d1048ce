/** Links to a job's recording. A media element cannot send a header, so it gets a signed link; each call gives another one. */
import { queryOptions } from "@tanstack/react-query";
import { api, call } from "./client";

export const fetchMediaLink = (id: string, signal?: AbortSignal) =>
  call(api.POST("/api/v1/jobs/{id}/media-link", { params: { path: { id } }, ...(signal && { signal }) }));

/** The links serve for 6 h; a new one is there well before that. */
const LINK_FRESH_MS = 3 * 3_600_000;

/** The player's link; the query key must not be shared, as a new answer is a new source to the player. */
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
