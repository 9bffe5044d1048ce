/** What stands around every page: something to see while it is fetched, and when it fails. */
import { type ReactNode, Suspense, useEffect } from "react";
import { Outlet } from "react-router";
import { Loading } from "@/components/loading";
import { loadMenus } from "@/components/menu";
import { loadTooltips } from "@/components/tooltip";
import { loadTexts } from "@/lib/i18n";
import { prefetchWhenIdle } from "@/lib/when-idle";
import { CrashBoundary } from "./crash";
import { loadMobilePanel } from "./shell/shell";
import { loadToaster } from "./toaster";

/** Of whatever page; the page itself does without. */
const WANTED_SOON = [loadToaster, loadTooltips, loadMenus, loadMobilePanel, () => loadTexts()];

/** `children` come with the page, and not before it. */
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
  useEffect(() => prefetchWhenIdle(WANTED_SOON), []);
  return null;
}
