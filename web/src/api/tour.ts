/** The tour through the sample of a new account: offered until it is completed or dismissed on any device. */
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { api, call } from "./client";
import type { Tour } from "./schema";

export const tourQuery = () =>
  queryOptions({
    queryKey: ["tour"],
    queryFn: ({ signal }): Promise<Tour> => call(api.GET("/api/v1/me/tour", { signal })),
    // A dismissed tour must not come back because of a failed request.
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Ends the offer. Rejects if the request fails; then it may come back on the next page load. */
export async function endTour(queryClient: QueryClient): Promise<void> {
  const { queryKey } = tourQuery();
  await queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(queryKey, (known) => known && { ...known, is_offered: false });
  await call(api.POST("/api/v1/me/tour/end", { keepalive: true }));
}
