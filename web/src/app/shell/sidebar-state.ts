/** Whether the sidebar is collapsed (kept in a cookie for some days), and whether the phone's menu is open. */
import { create } from "zustand";
import { onSessionEnd } from "@/api";
import { SIDEBAR_COOKIE_DAYS } from "@/rules/constants";

const COOKIE = "slovo.sidebar";
const KEPT_S = SIDEBAR_COOKIE_DAYS * 24 * 60 * 60;

interface SidebarState {
  collapsed: boolean;
  panelOpen: boolean;
  toggleCollapsed: () => void;
  setPanelOpen: (open: boolean) => void;
}

export const useSidebar = create<SidebarState>((set, get) => ({
  collapsed: readCollapsed(document.cookie),
  panelOpen: false,
  toggleCollapsed: () => {
    const collapsed = !get().collapsed;
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and on plain http
    document.cookie = `${COOKIE}=${collapsed ? "collapsed" : "expanded"}; Path=/; Max-Age=${KEPT_S}; SameSite=Lax`;
    set({ collapsed });
  },
  setPanelOpen: (panelOpen) => set({ panelOpen }),
}));

/** The next user starts with a closed menu. */
onSessionEnd(() => useSidebar.getState().setPanelOpen(false));

export function readCollapsed(cookies: string): boolean {
  return cookies.split("; ").includes(`${COOKIE}=collapsed`);
}
