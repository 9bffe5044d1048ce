/** Requests to recognise a stretch of the recording again, and what has become of them. */
import { queryOptions } from "@tanstack/react-query";
import { api, call, type NewStretchBody, type StretchList } from "@/api";

export const stretchesKey = (id: string, version: number) => ["stretches", id, version] as const;

/** The stream of edits replaces this list; while it is broken, it is fetched from time to time. */
const POLL_MS = 5000;

export const stretchesQuery = (id: string, version: number) =>
  queryOptions({
    queryKey: stretchesKey(id, version),
    queryFn: ({ signal }) =>
      call(api.GET("/api/v1/jobs/{id}/recognise-again", { params: { path: { id }, query: { version } }, signal })),
    staleTime: Number.POSITIVE_INFINITY,
    // A page that is opened again fetches what has ended in the meantime.
    gcTime: 0,
    refetchInterval: ({ state }) => (hasActive(state.data) ? POLL_MS : false),
  });

const hasActive = (list: StretchList | undefined) => list?.stretches.some(isActive) ?? false;

export const isActive = ({ status }: { status: string }): boolean => status === "waiting" || status === "running";

export const recogniseAgain = (id: string, body: NewStretchBody) =>
  call(api.POST("/api/v1/jobs/{id}/recognise-again", { params: { path: { id } }, body }));
