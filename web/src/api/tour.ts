/** The tour through the sample of a new account: offered until it is ended or left, on whatever device. */
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { api, call } from "./client";
import type { Tour } from "./schema";

export const tourQuery = () =>
  queryOptions({
    queryKey: ["tour"],
    queryFn: ({ signal }): Promise<Tour> => call(api.GET("/api/v1/me/tour", { signal })),
    // What has been left must not come back because a request failed on its way.
    staleTime: Number.POSITIVE_INFINITY,
  });

/** It is offered no more. Rejects when the server does not hear of it; then it comes back with the next page at the earliest. */
export async function endTour(queryClient: QueryClient): Promise<void> {
  const { queryKey } = tourQuery();
  await queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(queryKey, (known) => known && { ...known, is_offered: false });
  await call(api.POST("/api/v1/me/tour/end", { keepalive: true }));
}
