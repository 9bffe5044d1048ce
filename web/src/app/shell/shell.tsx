/** The frame of every signed-in page: sidebar, header, content. The window scrolls, not the content. */
import { lazy, Suspense, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Outlet, useLocation } from "react-router";
import { useHotkey } from "@/hooks/use-hotkey";
import { useMediaQuery } from "@/hooks/use-media-query";
import { cx } from "@/lib/class-names";
import { useShown } from "@/lib/history";
import { createPart, usePart } from "@/lib/part";
import { MOBILE_BREAKPOINT_PX } from "@/rules/constants";
import { ConnectionBar } from "./connection-bar";
import { Header } from "./header";
import { usePalette } from "./palette/use-palette";
import { Sidebar } from "./sidebar";
import { useSidebar } from "./sidebar-state";

const CONTENT_ID = "content";
/** Loaded on first use. */
const Palette = lazy(async () => ({ default: (await import("./palette/palette")).Palette }));

const mobilePanel = createPart(async () => (await import("./mobile-panel")).MobilePanel);

/** Preloads the phone's menu. */
export const loadMobilePanel = mobilePanel.load;

export function Shell() {
  const { t } = useTranslation("shell");
  const narrow = useMediaQuery(`(width < ${MOBILE_BREAKPOINT_PX}px)`);
  const { collapsed, panelOpen, toggleCollapsed, setPanelOpen } = useSidebar();
  useHotkey("b", () => (narrow ? setPanelOpen(!panelOpen) : toggleCollapsed()));
  const palette = usePalette();
  const { pathname } = useLocation();
  // Also when the browser's Back button has led to another page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is the signal
  useEffect(() => setPanelOpen(false), [pathname, setPanelOpen]);
  const loadingPage = useShown()?.opening ?? false;
  const MobilePanel = usePart(mobilePanel);
  useEffect(() => {
    if (narrow && panelOpen) loadMobilePanel().catch((error: unknown) => console.error(error));
  }, [narrow, panelOpen]);
  return (
    <div
      className={cx(
        "min-h-dvh transition-[grid-template-columns] md:grid",
        collapsed ? "md:grid-cols-[var(--sidebar-collapsed)_minmax(0,1fr)]" : "md:grid-cols-[var(--sidebar)_minmax(0,1fr)]",
      )}
    >
      <a
        href={`#${CONTENT_ID}`}
        className="fixed top-2 left-2 z-50 -translate-y-16 rounded bg-ink px-4 py-2 text-paper focus:translate-y-0"
      >
        {t("skip")}
      </a>
      {narrow ? (
        MobilePanel && <MobilePanel open={panelOpen} onOpenChange={setPanelOpen} />
      ) : (
        <Sidebar collapsed={collapsed} onToggle={toggleCollapsed} />
      )}
      <div className="flex min-h-dvh min-w-0 flex-col">
        <Header onOpenMenu={() => setPanelOpen(true)} onOpenPalette={palette.show} />
        <ConnectionBar />
        <main id={CONTENT_ID} tabIndex={-1} aria-busy={loadingPage} className="flex flex-1 flex-col outline-none">
          <Outlet />
        </main>
      </div>
      {palette.open && (
        <Suspense>
          <Palette onClose={palette.hide} takeTyped={palette.takeTyped} />
        </Suspense>
      )}
    </div>
  );
}
