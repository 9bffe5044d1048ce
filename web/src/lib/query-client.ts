/** The cache of server state. */
import { onlineManager, QueryClient } from "@tanstack/react-query";
import { ApiError } from "@/api";
import { connection } from "@/api/connection";

const MAX_RETRIES = 2;

export function createQueryClient(): QueryClient {
  // While the server is unreachable, queries are paused instead of failing, and continue afterwards.
  onlineManager.setEventListener((setOnline) => connection.subscribe(({ line }) => setOnline(line === "up")));
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // A retry can help after a lost connection or a busy server, but not after a refusal.
        retry: (failures, error) => failures < MAX_RETRIES && error instanceof ApiError && error.retryable,
      },
      // Actions fail at once instead of being paused: a paused action would be invisible and lost on reload.
      mutations: { retry: false, networkMode: "always" },
    },
  });
}
