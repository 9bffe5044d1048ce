/** Providers around the routes. */
import { QueryClientProvider } from "@tanstack/react-query";
import { useEffect } from "react";
import { TooltipProvider } from "@/components/tooltip";
import { createHistory, HistoryRouter } from "@/lib/history";
import { createQueryClient } from "@/lib/query-client";
import { clearAtSessionEnd } from "./clear-at-session-end";
import { AppRoutes } from "./router";
import { forbidStrayDrops } from "./stray-drops";
import { Toaster } from "./toaster";

const history = createHistory(window);
const queryClient = createQueryClient();
clearAtSessionEnd(queryClient);

export function App() {
  useEffect(() => forbidStrayDrops(window), []);
  return (
    <QueryClientProvider client={queryClient}>
      <TooltipProvider>
        <HistoryRouter history={history}>
          <AppRoutes />
        </HistoryRouter>
        <Toaster />
      </TooltipProvider>
    </QueryClientProvider>
  );
}
