/** Statistics of the server, for administrators. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, call } from "./client";

export type { Overview, OverviewDay, OverviewWorker } from "./schema";

/** Polling interval in ms. */
const REFRESH_MS = 15_000;

/** Days start at midnight in the reader's time zone. */
export const overviewQuery = (days: number) =>
  queryOptions({
    queryKey: ["admin", "overview", days],
    queryFn: ({ signal }) => {
      const offset = -new Date().getTimezoneOffset();
      return call(api.GET("/api/v1/admin/overview", { params: { query: { days, offset } }, signal }));
    },
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
