/** What the administrators' webhook services and the users' webhooks have in common. */
import { infiniteQueryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { ADMIN_PAGE } from "@/rules/constants";
import type { WebhookDeliveryPage } from "./schema";

export type { WebhookDelivery, WebhookTestResult } from "./schema";

/** Polling interval in ms while the log has a delivery in progress. */
const LOG_EVERY_MS = 3_000;

/** Which page of a log to load. */
interface LogQuery {
  limit: number;
  cursor?: string;
}

/** A delivery log, including pending deliveries, the newest first. */
export const deliveriesQuery = (
  queryKey: readonly string[],
  load: (query: LogQuery, signal: AbortSignal) => Promise<WebhookDeliveryPage>,
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => load({ limit: ADMIN_PAGE, ...(pageParam && { cursor: pageParam }) }, signal),
    initialPageParam: "",
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.items.some((item) => item.status === "pending")) ? LOG_EVERY_MS : false,
  });

/** A request after which everything with this key is loaded again, also if it failed: its logs have the attempt. */
export function useActionOn<Input, Result>(queryKey: readonly string[], action: (input: Input) => Promise<Result>) {
  const queryClient = useQueryClient();
  return useMutation({ mutationFn: action, onSettled: () => queryClient.invalidateQueries({ queryKey }) });
}
