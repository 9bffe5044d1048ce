/** The minutes of the signed-in user in this calendar month. */
import { queryOptions } from "@tanstack/react-query";
import { apiFetch } from "./client";

// Stands here until the document of the API names it.
export interface Minutes {
  plan: string | null;
  /** Minutes a month; null means that there is no limit. */
  limit: number | null;
  used: number;
  left: number | null;
  reset_at: string;
}

export const minutesQuery = () =>
  queryOptions({
    queryKey: ["minutes"],
    queryFn: async ({ signal }) => (await (await apiFetch("/api/v1/me/minutes", { signal })).json()) as Minutes,
    // What a job has just taken is to be seen before the next one.
    staleTime: 0,
  });
