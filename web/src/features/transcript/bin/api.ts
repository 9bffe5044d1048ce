/** The request for the lines that were removed from a text by edits. */
import { queryOptions } from "@tanstack/react-query";
import { api, call } from "@/api";

/** Edits that remove or add lines can change the list; it is reloaded then. */
export const binQuery = (id: string, version: number) =>
  queryOptions({
    queryKey: ["line-bin", id, version],
    queryFn: ({ signal }) => call(api.GET("/api/v1/jobs/{id}/bin", { params: { path: { id }, query: { version } }, signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });
