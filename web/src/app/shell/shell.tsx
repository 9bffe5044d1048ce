/** The frame of every signed-in page: sidebar, header, content. The window scrolls, not the content. */
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Outlet, ScrollRestoration, useLocation, useNavigation } from "react-router";
import { OfflineBar } from "@/components/offline-bar";
import { useHotkey } from "@/hooks/use-hotkey";
import { useMediaQuery } from "@/hooks/use-media-query";
import { cx } from "@/lib/class-names";
import { Header } from "./header";
import { MobilePanel } from "./mobile-panel";
import { Sidebar } from "./sidebar";
import { useSidebar } from "./sidebar-state";

const CONTENT_ID = "content";

export function Shell() {
  const { t } = useTranslation("shell");
  const narrow = useMediaQuery("(width < 768px)");
  const { collapsed, panelOpen, toggleCollapsed, setPanelOpen } = useSidebar();
  useHotkey("b", () => (narrow ? setPanelOpen(!panelOpen) : toggleCollapsed()));
  const { pathname } = useLocation();
  // Also when the browser's Back button has led to another page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is the signal
  useEffect(() => setPanelOpen(false), [pathname, setPanelOpen]);
  const loadingPage = useNavigation().state === "loading";
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
        <MobilePanel open={panelOpen} onOpenChange={setPanelOpen} />
      ) : (
        <Sidebar collapsed={collapsed} onToggle={toggleCollapsed} />
      )}
      <div className="flex min-h-dvh min-w-0 flex-col">
        {/* A page loaded by address has the key "default" whatever it is: its path tells it apart. */}
        <ScrollRestoration getKey={(location) => (location.key === "default" ? location.pathname : location.key)} />
        <Header onOpenMenu={() => setPanelOpen(true)} />
        <OfflineBar />
        <main id={CONTENT_ID} tabIndex={-1} aria-busy={loadingPage} className="flex flex-1 flex-col outline-none">
          <Outlet />
        </main>
      </div>
    </div>
  );
}
