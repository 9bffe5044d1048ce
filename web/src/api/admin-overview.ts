/** The server at work, for administrators. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, call } from "./client";

export type { Overview, OverviewDay, OverviewWorker } from "./schema";

/** As often as the queue and the workers are worth a look. */
const REFRESH_MS = 15_000;

/** Days begin at the reader's midnight. */
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
