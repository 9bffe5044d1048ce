/** The cache of what the server knows. */
import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "@/api";

const MAX_RETRIES = 2;

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // Asking again helps against a cut line or a busy server, never against a refusal.
        retry: (failures, error) => failures < MAX_RETRIES && error instanceof ApiError && error.retryable,
      },
      mutations: { retry: false },
    },
  });
}
