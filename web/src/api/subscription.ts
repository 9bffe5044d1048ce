/** The caller's plan, its usage, and the plans on offer. */
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
    // Refetched, so that the minutes of the last job, or an administrator's correction, are shown at once.
    staleTime: 0,
  });

/** The plans that can be requested, the cheapest first. */
export const plansQuery = () =>
  queryOptions({
    queryKey: plansKey,
    queryFn: async ({ signal }) => (await call(api.GET("/api/v1/plans", { signal }))).plans,
  });

/** Minutes used on each of the last days, in the reader's time zone. */
export const usageByDayQuery = (days: number) =>
  queryOptions({
    queryKey: [...subscriptionKey, "by-day", days],
    queryFn: async ({ signal }) => {
      const offset = -new Date().getTimezoneOffset();
      return (await call(api.GET("/api/v1/me/usage", { params: { query: { days, offset } }, signal }))).days;
    },
    staleTime: 0,
  });

/** The history of minutes, the newest first. */
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

/** Withdraws the open request. */
export const useWithdrawRequest = () =>
  useSubscriptionAction((_: undefined) => call(api.DELETE("/api/v1/me/plan-request") as Promise<{ data?: unknown }>));

function useSubscriptionAction<Input, Result>(action: (input: Input) => Promise<Result>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: action,
    onSettled: () => queryClient.invalidateQueries({ queryKey: subscriptionKey }),
  });
}
