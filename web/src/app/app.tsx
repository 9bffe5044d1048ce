/** Providers around the routes. */
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "react-router";
import { Toaster } from "sonner";
import { TooltipProvider } from "@/components/tooltip";
import { createQueryClient } from "@/lib/query-client";
import { forgetAtSessionEnd } from "./forget";
import { router } from "./router";

const queryClient = createQueryClient();
forgetAtSessionEnd(queryClient);

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
