/** Clears one user's data before the next one signs in. Features clear their own stores in the same way. */
import type { QueryClient } from "@tanstack/react-query";
import { onSessionEnd } from "@/api";
import { toast } from "@/lib/toast";

export function clearAtSessionEnd(queryClient: QueryClient): () => void {
  return onSessionEnd(() => {
    queryClient.clear();
    toast.dismissAll();
  });
}
