/** Providers around the routes. */
import { QueryClientProvider } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { RouterProvider } from "react-router";
import { Toaster } from "sonner";
import { TooltipProvider } from "@/components/tooltip";
import { createQueryClient } from "@/lib/query-client";
import { forgetAtSessionEnd } from "./forget";
import { router } from "./router";
import { forbidStrayDrops } from "./stray-drops";

const queryClient = createQueryClient();
forgetAtSessionEnd(queryClient);

export function App() {
  const { t } = useTranslation();
  useEffect(() => forbidStrayDrops(window), []);
  return (
    <QueryClientProvider client={queryClient}>
      <TooltipProvider>
        <RouterProvider router={router} />
        <Toaster
          containerAriaLabel={t("notifications")}
          position="top-center"
          visibleToasts={4}
          offset={64}
          mobileOffset={{ top: 64, left: 16, right: 16 }}
        />
      </TooltipProvider>
    </QueryClientProvider>
  );
}
