/** The sections as index tabs: the open one is a piece of the page itself. */
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import { Tooltip } from "@/components/tooltip";
import { cx } from "@/lib/class-names";
import { isActive, SECTIONS } from "./navigation";

export function NavList({ collapsed = false, onNavigate }: { collapsed?: boolean; onNavigate?: () => void }) {
  const { t } = useTranslation("shell");
  const { pathname } = useLocation();
  return (
    <nav aria-label={t("navigation")} className="flex flex-col pt-4">
      <p className={cx("kicker px-4 pb-2", collapsed && "sr-only")}>{t("menu")}</p>
      <ul className="-mr-px flex flex-col">
        {SECTIONS.map((section) => {
          const label = t(`nav.${section.label}`);
          const active = isActive(section, pathname);
          const link = (
            <Link
              to={section.to}
              aria-current={active ? "page" : undefined}
              {...(onNavigate && { onClick: onNavigate })}
              className={cx(
                "relative flex min-h-11 items-center gap-3 border-y px-4 -outline-offset-2 transition-colors",
                collapsed && "justify-center px-0",
                active
                  ? "border-rule bg-paper font-strong text-ink before:absolute before:inset-y-0 before:left-0 before:w-[3px] before:bg-accent"
                  : "border-transparent text-ink-soft hover:text-ink",
              )}
            >
              <section.icon
                aria-hidden="true"
                className={cx("size-[1.125rem] shrink-0", active && "text-accent")}
                strokeWidth={1.75}
              />
              <span className={cx(collapsed && "sr-only")}>{label}</span>
            </Link>
          );
          return (
            <li key={section.to}>
              {collapsed ? (
                <Tooltip text={label} side="right">
                  {link}
                </Tooltip>
              ) : (
                link
              )}
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
