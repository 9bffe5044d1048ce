/** The request for passages that the engine removed from a text. */
import { queryOptions } from "@tanstack/react-query";
import { api, call } from "@/api";

/** A run never changes; restored passages are in the text. */
export const removedQuery = (id: string, version: number) =>
  queryOptions({
    queryKey: ["removed", id, version],
    queryFn: ({ signal }) => call(api.GET("/api/v1/jobs/{id}/removed", { params: { path: { id }, query: { version } }, signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });
