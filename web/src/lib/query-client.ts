/** The cache of what the server knows. */
import { onlineManager, QueryClient } from "@tanstack/react-query";
import { ApiError } from "@/api";
import { connection } from "@/api/connection";

const MAX_RETRIES = 2;

export function createQueryClient(): QueryClient {
  // While the server cannot be reached, what is looked at waits for it instead of failing, and comes when it is back.
  onlineManager.setEventListener((setOnline) => connection.subscribe(({ line }) => setOnline(line === "up")));
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // Asking again helps against a cut line or a busy server, never against a refusal.
        retry: (failures, error) => failures < MAX_RETRIES && error instanceof ApiError && error.retryable,
      },
      // What somebody does is answered at once: nobody would know that a click waits, and a reload would lose it.
      mutations: { retry: false, networkMode: "always" },
    },
  });
}
