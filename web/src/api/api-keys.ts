/** The account's API keys: secrets with which programs call the API on its behalf. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, call } from "./client";
import type { CreatedApiKey, NewApiKey } from "./schema";

export type { ApiKey, ApiScope, CreatedApiKey, NewApiKey } from "./schema";

/** The keys, the newest first, and whether the plan includes the API. */
export const apiKeysQuery = () =>
  queryOptions({
    queryKey: ["api-keys"],
    queryFn: ({ signal }) => call(api.GET("/api/v1/me/api-keys", { signal })),
    staleTime: 0,
  });

/** Creates a key. Its secret is passed to `onCreated` only: what a mutation returns is kept in a cache. */
export function useCreateApiKey(onCreated: (created: CreatedApiKey) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: NewApiKey) => onCreated(await call(api.POST("/api/v1/me/api-keys", { body }))),
    // So is what it is given, with the password.
    gcTime: 0,
    onSuccess: () => void client.invalidateQueries(apiKeysQuery()),
  });
}

/** Revokes a key. It is pending until the list is loaded again, so that the page can move the focus from a row that is gone. */
export function useRevokeApiKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(api.DELETE("/api/v1/me/api-keys/{id}", { params: { path: { id } } })),
    onSettled: () => client.invalidateQueries(apiKeysQuery()),
  });
}
