/** Plans and plan requests, for administrators. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { waitingKey } from "./admin-waiting";
import { api, call } from "./client";
import { minutesQuery } from "./minutes";
import type { DemoPlan, PlanDecisionForm, PlanForm, PlanTerms } from "./schema";
import { plansKey, subscriptionKey } from "./subscription";

export type { DemoPlan, ManagedPlan, ManagedPlanRequest, PlanFeature, PlanForm, PlanTermsInForce, QueueSpeed } from "./schema";

const managedPlansKey = ["admin", "plans"] as const;
const planRequestsKey = ["admin", "plan-requests"] as const;
const demoPlanKey = ["admin", "demo-plan"] as const;
const planTermsKey = ["admin", "plan-terms"] as const;
const usersKey = ["admin", "users"] as const;

/** All plans, the newest first. */
export const managedPlansQuery = () =>
  queryOptions({
    queryKey: managedPlansKey,
    queryFn: async ({ signal }) => (await call(api.GET("/api/v1/admin/plans", { signal }))).plans,
  });

/** Open requests, the oldest first, then decided ones, the newest first. At most 100. */
export const planRequestsQuery = () =>
  queryOptions({
    queryKey: planRequestsKey,
    queryFn: async ({ signal }) => (await call(api.GET("/api/v1/admin/plan-requests", { signal }))).requests,
    staleTime: 0,
  });

/** Limits for accounts without a plan. */
export const demoPlanQuery = () =>
  queryOptions({
    queryKey: demoPlanKey,
    queryFn: ({ signal }) => call(api.GET("/api/v1/admin/demo-plan", { signal })),
  });

/** The trial plan and the refund period. */
export const planTermsQuery = () =>
  queryOptions({
    queryKey: planTermsKey,
    queryFn: ({ signal }) => call(api.GET("/api/v1/admin/plan-terms", { signal })),
  });

/** Applies to accounts created from now on, and to the public pages. */
export const useSetPlanTerms = () =>
  usePlansAction((terms: PlanTerms) => call(api.PUT("/api/v1/admin/plan-terms", { body: terms })));

/** Applies at once to all accounts without a plan. */
export const useSetDemoPlan = () => usePlansAction((demo: DemoPlan) => call(api.PUT("/api/v1/admin/demo-plan", { body: demo })));

export const useCreatePlan = () => usePlansAction((form: PlanForm) => call(api.POST("/api/v1/admin/plans", { body: form })));

export const useUpdatePlan = () =>
  usePlansAction(({ id, form }: { id: string; form: PlanForm }) =>
    call(api.PUT("/api/v1/admin/plans/{id}", { params: { path: { id } }, body: form })),
  );

export const useDeletePlan = () =>
  usePlansAction((id: string): Promise<unknown> => call(api.DELETE("/api/v1/admin/plans/{id}", { params: { path: { id } } })));

/** Approves or declines a request. */
export const useDecide = () =>
  usePlansAction(({ id, decision }: { id: string; decision: PlanDecisionForm }) =>
    call(api.POST("/api/v1/admin/plan-requests/{id}/decision", { params: { path: { id } }, body: decision })),
  );

/** The administrator's own plan may be affected, too. */
function usePlansAction<Input, Result>(action: (input: Input) => Promise<Result>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: action,
    onSettled: () =>
      Promise.all(
        [
          managedPlansKey,
          planRequestsKey,
          demoPlanKey,
          planTermsKey,
          waitingKey,
          usersKey,
          plansKey,
          subscriptionKey,
          minutesQuery().queryKey,
        ].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
      ),
  });
}
