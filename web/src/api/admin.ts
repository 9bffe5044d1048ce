/** Accounts as administrators see them. */
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, call } from "./client";
import type { AccountStatus, ManagedUser, Role } from "./schema";

export type { ManagedUser } from "./schema";

const usersKey = ["admin", "users"] as const;

/** Accounts with the search in their address or name; all where it is empty. The newest first, at most 100. */
export const usersQuery = (search: string) =>
  queryOptions({
    queryKey: [...usersKey, search],
    queryFn: ({ signal }) => call(api.GET("/api/v1/admin/users", { params: { query: { ...(search && { search }) } }, signal })),
    placeholderData: keepPreviousData,
  });

/** Blocks an account, which ends its sessions at once, or lets it in again. */
export const useSetStatus = () =>
  useUserAction(({ id, status }: { id: string; status: AccountStatus }) =>
    call(api.PUT("/api/v1/admin/users/{id}/status", { params: { path: { id } }, body: { status } })),
  );

export const useSetRole = () =>
  useUserAction(({ id, role }: { id: string; role: Role }) =>
    call(api.PUT("/api/v1/admin/users/{id}/role", { params: { path: { id } }, body: { role } })),
  );

function useUserAction<Input>(action: (input: Input) => Promise<ManagedUser>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: action,
    onSettled: () => queryClient.invalidateQueries({ queryKey: usersKey }),
  });
}
