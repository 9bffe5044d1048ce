/** Providers around the routes. */
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "react-router";
import { Toaster } from "sonner";
import { onSessionEnd } from "@/api";
import { TooltipProvider } from "@/components/tooltip";
import { createQueryClient } from "@/lib/query-client";
import { toast } from "@/lib/toast";
import { router } from "./router";

const queryClient = createQueryClient();

// What one user has seen must not be there for the next one. Features clear their own stores the same way.
onSessionEnd(() => {
  queryClient.clear();
  toast.dismissAll();
});

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <TooltipProvider>
        <RouterProvider router={router} />
        <Toaster position="top-center" visibleToasts={4} offset={64} mobileOffset={{ top: 64, left: 16, right: 16 }} />
      </TooltipProvider>
    </QueryClientProvider>
  );
}
