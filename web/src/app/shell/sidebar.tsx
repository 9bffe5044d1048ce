/** The wide screen's sidebar. */
import { PanelLeftClose, PanelLeftOpen } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { IconButton } from "@/components/icon-button";
import { Logo, LogoWithName } from "@/components/logo";
import { hotkeyLabel } from "@/hooks/use-hotkey";
import { cx } from "@/lib/class-names";
import { PATHS } from "../paths";
import { AccountMenu } from "./account-menu";
import { NavList } from "./nav-list";

export function Sidebar({ collapsed, onToggle }: { collapsed: boolean; onToggle: () => void }) {
  const { t } = useTranslation("shell");
  return (
    <aside className="sticky top-0 flex h-dvh min-w-0 flex-col border-r border-rule bg-paper-sunk">
      <div
        className={cx(
          "flex h-(--header-height) shrink-0 items-center",
          collapsed ? "justify-center" : "justify-between pr-2 pl-4",
        )}
      >
        <Link to={PATHS.dashboard} aria-label={t("home")} className="rounded">
          {collapsed ? <Logo className="h-5" /> : <LogoWithName />}
        </Link>
        {!collapsed && (
          <IconButton label={t("sidebar.collapse")} shortcut={hotkeyLabel("b")} onClick={onToggle} aria-expanded="true">
            <PanelLeftClose aria-hidden="true" strokeWidth={1.75} />
          </IconButton>
        )}
      </div>
      {collapsed && (
        <IconButton
          label={t("sidebar.expand")}
          shortcut={hotkeyLabel("b")}
          onClick={onToggle}
          aria-expanded="false"
          className="mx-auto"
        >
          <PanelLeftOpen aria-hidden="true" strokeWidth={1.75} />
        </IconButton>
      )}
      <NavList collapsed={collapsed} />
      <div className={cx("mt-auto border-t border-rule", collapsed ? "py-2" : "p-2")}>
        <AccountMenu collapsed={collapsed} />
      </div>
    </aside>
  );
}
