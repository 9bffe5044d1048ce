/** The shell's sections, and the header's titles by path. */
import {
  ChartNoAxesColumn,
  CreditCard,
  FileStack,
  FileText,
  History,
  Inbox,
  KeyRound,
  LayoutList,
  Library,
  type LucideIcon,
  ScrollText,
  Server,
  SlidersHorizontal,
  Users,
  WalletCards,
} from "lucide-react";
import { matchPath } from "react-router";
import type { AdminWaiting } from "@/api/admin-waiting";
import { PATHS } from "../paths";

type SectionLabel =
  | "dashboard"
  | "transcriptions"
  | "presets"
  | "subscription"
  | "settings"
  | "admin_overview"
  | "admin_users"
  | "admin_subscriptions"
  | "admin_transcriptions"
  | "admin_presets"
  | "admin_messages"
  | "admin_audit"
  | "admin_sign_ins"
  | "admin_config";

interface Section {
  to: string;
  label: SectionLabel;
  icon: LucideIcon;
  /** Other paths that belong to the section. */
  also?: string;
  /** The count shown there. */
  waiting?: keyof AdminWaiting;
}

interface SectionGroup {
  label: "menu" | "admin_panel";
  sections: readonly Section[];
}

const MENU: SectionGroup = {
  label: "menu",
  sections: [
    { to: PATHS.dashboard, label: "dashboard", icon: ScrollText },
    { to: PATHS.transcriptions, label: "transcriptions", icon: FileText, also: PATHS.transcription },
    { to: PATHS.presets, label: "presets", icon: LayoutList },
    { to: PATHS.subscription, label: "subscription", icon: CreditCard },
    { to: PATHS.settings, label: "settings", icon: SlidersHorizontal },
  ],
};

const ADMIN_PANEL: SectionGroup = {
  label: "admin_panel",
  sections: [
    { to: PATHS.adminOverview, label: "admin_overview", icon: ChartNoAxesColumn },
    { to: PATHS.adminUsers, label: "admin_users", icon: Users },
    { to: PATHS.adminSubscriptions, label: "admin_subscriptions", icon: WalletCards, waiting: "plan_requests" },
    { to: PATHS.adminTranscriptions, label: "admin_transcriptions", icon: FileStack },
    { to: PATHS.adminPresets, label: "admin_presets", icon: Library },
    { to: PATHS.adminMessages, label: "admin_messages", icon: Inbox, waiting: "contact_messages" },
    { to: PATHS.adminAudit, label: "admin_audit", icon: History },
    { to: PATHS.adminSignIns, label: "admin_sign_ins", icon: KeyRound },
    { to: PATHS.adminConfig, label: "admin_config", icon: Server },
  ],
};

/** The sections that a user with this role can open; the server checks again. */
export const sectionGroups = (role: string | undefined): readonly SectionGroup[] =>
  role === "admin" ? [MENU, ADMIN_PANEL] : [MENU];

export function isActive(section: Section, pathname: string): boolean {
  return pathname === section.to || (section.also !== undefined && matchPath(section.also, pathname) !== null);
}

const TITLES = {
  "/dashboard": "dashboard",
  "/transcriptions": "transcriptions",
  "/presets": "presets",
  "/subscription": "subscription",
  "/settings": "settings",
  "/upload": "upload",
  "/admin/overview": "admin_overview",
  "/admin/users": "admin_users",
  "/admin/subscriptions": "admin_subscriptions",
  "/admin/transcriptions": "admin_transcriptions",
  "/admin/presets": "admin_presets",
  "/admin/messages": "admin_messages",
  "/admin/audit": "admin_audit",
  "/admin/sign-ins": "admin_sign_ins",
  "/admin/config": "admin_config",
} as const;

export type TitleKey = (typeof TITLES)[keyof typeof TITLES] | "transcription";

/** Null if the path has no title of its own; then the product's name is shown. */
export function titleKey(pathname: string): TitleKey | null {
  // The router ignores a trailing slash.
  const path = pathname.replace(/(?<=.)\/+$/, "");
  if (Object.hasOwn(TITLES, path)) return TITLES[path as keyof typeof TITLES];
  return path.startsWith("/transcription/") ? "transcription" : null;
}
