/** Accounts, for administrators. */
import { infiniteQueryOptions, keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { BalanceForm } from "@/rules";
import { ADMIN_PAGE } from "@/rules/constants";
import { api, call } from "./client";
import type { AccountStatus, Role } from "./schema";

export type { ManagedPlan, ManagedUser, UsageEntry } from "./schema";

const usersKey = ["admin", "users"] as const;

export interface UserFilter {
  /** Part of the address or of a name. */
  q?: string;
  status?: AccountStatus;
  role?: Role;
  /** Number of their plan; 0 is for those without one. */
  plan?: number;
}

/** The newest first, page by page. */
export const usersQuery = ({ q, status, role, plan }: UserFilter) =>
  infiniteQueryOptions({
    queryKey: [...usersKey, "list", { q, status, role, plan }],
    queryFn: ({ pageParam, signal }) =>
      call(
        api.GET("/api/v1/admin/users", {
          params: {
            query: {
              limit: ADMIN_PAGE,
              ...(q && { search: q }),
              ...(status && { status }),
              ...(role && { role }),
              ...(plan !== undefined && { plan }),
              ...(pageParam !== null && { cursor: pageParam }),
            },
          },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor ?? null,
    placeholderData: keepPreviousData,
  });

/** An account's minutes in the current month. */
export const userMinutesQuery = (id: string) =>
  queryOptions({
    queryKey: [...usersKey, "minutes", id],
    queryFn: ({ signal }) => call(api.GET("/api/v1/admin/users/{id}/minutes", { params: { path: { id } }, signal })),
  });

/** The history of an account's minutes, the newest first, page by page. */
export const userHistoryQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...usersKey, "history", id],
    queryFn: ({ pageParam, signal }) =>
      call(
        api.GET("/api/v1/admin/users/{id}/usage-history", {
          params: { path: { id }, query: { ...(pageParam !== null && { before: pageParam }) } },
          signal,
        }),
      ),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.next_before ?? null,
  });

/** All plans, including those closed to new subscriptions. */
export const plansQuery = () =>
  queryOptions({
    queryKey: ["admin", "plans"],
    queryFn: async ({ signal }) => (await call(api.GET("/api/v1/admin/plans", { signal }))).plans,
  });

/** Blocks an account, which ends its sessions at once, or unblocks it. */
export const useSetStatus = () =>
  useUserAction(({ id, status }: { id: string; status: AccountStatus }) =>
    call(api.PUT("/api/v1/admin/users/{id}/status", { params: { path: { id } }, body: { status } })),
  );

export const useSetRole = () =>
  useUserAction(({ id, role }: { id: string; role: Role }) =>
    call(api.PUT("/api/v1/admin/users/{id}/role", { params: { path: { id } }, body: { role } })),
  );

/** Sets or removes an account's plan. */
export const useSetPlan = () =>
  useUserAction(({ id, plan_id }: { id: string; plan_id: string | null }) =>
    call(api.PUT("/api/v1/admin/users/{id}/plan", { params: { path: { id } }, body: { plan_id } })),
  );

/** Adds or subtracts minutes of an account for this month. */
export const useAdjustBalance = () =>
  useUserAction(({ id, form }: { id: string; form: BalanceForm }) =>
    call(api.POST("/api/v1/admin/users/{id}/balance", { params: { path: { id } }, body: form })),
  );

export function useUserAction<Input, Result>(action: (input: Input) => Promise<Result>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: action,
    onSettled: () => queryClient.invalidateQueries({ queryKey: usersKey }),
  });
}
