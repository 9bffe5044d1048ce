/** The API keys of all accounts. */
import { infiniteQueryOptions, keepPreviousData, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, call } from "./client";

export type { OwnedApiKey } from "./schema";

const keysOfAll = ["admin", "api-keys"] as const;

/** The newest first, page by page; `search` is a part of the owners' addresses, or empty. */
export const allApiKeysQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: [...keysOfAll, search],
    queryFn: ({ pageParam, signal }) =>
      call(
        api.GET("/api/v1/admin/api-keys", {
          params: { query: { ...(search && { search }), ...(pageParam === null ? {} : { cursor: pageParam }) } },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
  });

/** Revokes a user's key. It is pending until the list is loaded again. */
export function useRevokeAnyApiKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(api.DELETE("/api/v1/admin/api-keys/{id}", { params: { path: { id } } })),
    onSettled: () => client.invalidateQueries({ queryKey: keysOfAll }),
  });
}
