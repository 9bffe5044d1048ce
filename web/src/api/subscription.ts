/** The caller's plan, what was used of it, and what it may be exchanged for. */
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { USAGE_HISTORY_ROWS } from "@/rules/constants";
import { api, call } from "./client";
import type { PlanRequestForm } from "./schema";

export type {
  Minutes,
  Plan,
  PlanFeature,
  PlanRequest,
  QueueSpeed,
  Subscription,
  UsageDay,
  UsageEntry,
} from "./schema";

export const subscriptionKey = ["subscription"] as const;
export const plansKey = ["plans"] as const;

/** The plan, its features, the month's minutes and the newest request. */
export const subscriptionQuery = () =>
  queryOptions({
    queryKey: [...subscriptionKey, "present"],
    queryFn: ({ signal }) => call(api.GET("/api/v1/me/subscription", { signal })),
    // What one job has taken, and what an administrator has given, is to be seen at once.
    staleTime: 0,
  });

/** The plans that can be asked for, the cheapest first. */
export const plansQuery = () =>
  queryOptions({
    queryKey: plansKey,
    queryFn: async ({ signal }) => (await call(api.GET("/api/v1/plans", { signal }))).plans,
  });

/** What jobs took on each of the last days, by the days of the reader's clock. */
export const usageByDayQuery = (days: number) =>
  queryOptions({
    queryKey: [...subscriptionKey, "by-day", days],
    queryFn: async ({ signal }) => {
      const offset = -new Date().getTimezoneOffset();
      return (await call(api.GET("/api/v1/me/usage", { params: { query: { days, offset } }, signal }))).days;
    },
    staleTime: 0,
  });

/** What has changed the minutes, the newest first. */
export const usageHistoryQuery = () =>
  infiniteQueryOptions({
    queryKey: [...subscriptionKey, "history"],
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: USAGE_HISTORY_ROWS, ...(pageParam !== null && { before: pageParam }) };
      return call(api.GET("/api/v1/me/usage-history", { params: { query }, signal }));
    },
    initialPageParam: null as number | null,
    getNextPageParam: (last) => last.next_before,
    staleTime: 0,
  });

/** Asks the administrators for another plan. */
export const useRequestPlan = () =>
  useSubscriptionAction((form: PlanRequestForm) => call(api.POST("/api/v1/me/plan-request", { body: form })));

/** Takes the open request back. */
export const useWithdrawRequest = () =>
  useSubscriptionAction((_: undefined) => call(api.DELETE("/api/v1/me/plan-request") as Promise<{ data?: unknown }>));

function useSubscriptionAction<Input, Result>(action: (input: Input) => Promise<Result>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: action,
    onSettled: () => queryClient.invalidateQueries({ queryKey: subscriptionKey }),
  });
}
