/** What one user has seen must not be there for the next one. Features clear their own stores the same way. */
import type { QueryClient } from "@tanstack/react-query";
import { onSessionEnd } from "@/api";
import { toast } from "@/lib/toast";

export function forgetAtSessionEnd(queryClient: QueryClient): () => void {
  return onSessionEnd(() => {
    queryClient.clear();
    toast.dismissAll();
  });
}
