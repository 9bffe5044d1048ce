/** Numbers of items that need an administrator, for the navigation. */
import { queryOptions } from "@tanstack/react-query";
import { api, call } from "./client";

export type { AdminWaiting } from "./schema";

/** Polling interval while the page is visible, in ms. */
const EVERY_MS = 60_000;

export const waitingKey = ["admin", "waiting"] as const;

export const waitingQuery = () =>
  queryOptions({
    queryKey: waitingKey,
    queryFn: ({ signal }) => call(api.GET("/api/v1/admin/waiting", { signal })),
    refetchInterval: EVERY_MS,
    staleTime: EVERY_MS / 2,
    // A missing badge does not need an error message.
    retry: false,
  });
