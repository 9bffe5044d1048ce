/** Wraps every page: a placeholder while it loads, and an error if it fails. */
import { type ReactNode, Suspense, useEffect } from "react";
import { Outlet } from "react-router";
import { useUser } from "@/api/auth";
import { Loading } from "@/components/loading";
import { loadMenus } from "@/components/menu";
import { loadTooltips } from "@/components/tooltip";
import { loadTextsFor } from "@/lib/i18n";
import { prefetchWhenIdle } from "@/lib/when-idle";
import { CrashBoundary } from "./crash";
import { loadMobilePanel } from "./shell/shell";
import { loadToaster } from "./toaster";

/** Preloaded on every page, because they are soon needed; the page itself does not require them. */
const WANTED_SOON = [loadToaster, loadTooltips, loadMenus, loadMobilePanel];

/** `children` are rendered together with the page, not before it. */
export function PageFrame({ children }: { children?: ReactNode }) {
  return (
    <CrashBoundary>
      <Suspense fallback={<Loading />}>
        <Outlet />
        {children}
        <Prefetch />
      </Suspense>
    </CrashBoundary>
  );
}

function Prefetch() {
  const role = useUser()?.role;
  useEffect(() => prefetchWhenIdle([...WANTED_SOON, () => loadTextsFor(role)]), [role]);
  return null;
}
