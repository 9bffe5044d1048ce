/** How much waits for administrators: what the navigation counts. */
import { queryOptions } from "@tanstack/react-query";
import { api, call } from "./client";

export type { AdminWaiting } from "./schema";

/** How often it is asked for while a page is looked at, in ms. */
const EVERY_MS = 60_000;

export const waitingKey = ["admin", "waiting"] as const;

export const waitingQuery = () =>
  queryOptions({
    queryKey: waitingKey,
    queryFn: ({ signal }) => call(api.GET("/api/v1/admin/waiting", { signal })),
    refetchInterval: EVERY_MS,
    staleTime: EVERY_MS / 2,
    // A badge is no reason to say that something is wrong.
    retry: false,
  });
