/** The minutes of the signed-in user in this calendar month. */
import { queryOptions } from "@tanstack/react-query";
import { api, call } from "./client";

export type { Minutes } from "./schema";

export const minutesQuery = () =>
  queryOptions({
    queryKey: ["minutes"],
    queryFn: ({ signal }) => call(api.GET("/api/v1/me/minutes", { signal })),
    // Refetched, so that the minutes of the last job are included before the next one.
    staleTime: 0,
  });
