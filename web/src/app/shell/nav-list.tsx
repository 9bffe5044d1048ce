/** The sections as index tabs: the current one is visually part of the page. */
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import { useUser } from "@/api";
import { type AdminWaiting, waitingQuery } from "@/api/admin-waiting";
import { Tooltip } from "@/components/tooltip";
import { cx } from "@/lib/class-names";
import { isActive, sectionGroups } from "./navigation";

type Group = ReturnType<typeof sectionGroups>[number];

interface NavListProps {
  collapsed?: boolean;
  onNavigate?: () => void;
}

export function NavList(props: NavListProps) {
  const { t } = useTranslation("shell");
  const role = useUser()?.role;
  return (
    // In a low window the sections scroll; the account below them stays visible.
    <nav aria-label={t("navigation")} className="-mr-px flex min-h-0 flex-col gap-5 overflow-y-auto pt-4 pb-2">
      {sectionGroups(role).map((group) => (
        <NavGroup key={group.label} group={group} {...props} />
      ))}
    </nav>
  );
}

function NavGroup({ group, collapsed = false, onNavigate }: NavListProps & { group: Group }) {
  const { t } = useTranslation("shell");
  const id = useId();
  return (
    <div className={cx(collapsed && "not-first:border-t not-first:border-rule not-first:pt-3")}>
      <p id={id} className={cx("kicker px-4 pb-2", collapsed && "sr-only")}>
        {t(group.label)}
      </p>
      <ul aria-labelledby={id} className="flex flex-col">
        {group.sections.map((section) => (
          <li key={section.to}>
            <NavLink section={section} collapsed={collapsed} {...(onNavigate && { onNavigate })} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function NavLink({ section, collapsed, onNavigate }: NavListProps & { section: Group["sections"][number] }) {
  const { t } = useTranslation("shell");
  const active = isActive(section, useLocation().pathname);
  const waiting = useWaiting(section.waiting);
  const label = t(`nav.${section.label}`);
  const link = (
    <Link
      to={section.to}
      aria-current={active ? "page" : undefined}
      {...(onNavigate && { onClick: onNavigate })}
      className={cx(
        "relative flex min-h-11 items-center gap-3 border-y px-4 -outline-offset-2 transition-colors pointer-fine:min-h-10",
        collapsed && "justify-center px-0",
        active
          ? "border-rule bg-paper font-strong text-ink before:absolute before:inset-y-0 before:left-0 before:w-[3px] before:bg-accent"
          : "border-transparent text-ink-soft hover:text-ink",
      )}
    >
      <section.icon aria-hidden="true" className={cx("size-[1.125rem] shrink-0", active && "text-accent")} strokeWidth={1.75} />
      <span className={cx(collapsed && "sr-only")}>{label}</span>
      {waiting > 0 && <Badge count={waiting} collapsed={collapsed ?? false} />}
    </Link>
  );
  return collapsed ? (
    <Tooltip text={label} side="right">
      {link}
    </Tooltip>
  ) : (
    link
  );
}

/** The number of items that need attention; only administrators have sections with counts. */
function useWaiting(what: keyof AdminWaiting | undefined): number {
  const { data } = useQuery({ ...waitingQuery(), enabled: what !== undefined });
  return (what && data?.[what]) ?? 0;
}

/** In a narrow sidebar, a dot on the icon replaces the number, which is still announced. */
function Badge({ count, collapsed }: { count: number; collapsed: boolean }) {
  const { t } = useTranslation("shell");
  return (
    <span
      className={cx(
        collapsed
          ? "absolute top-2 right-3 size-2 rounded-full bg-accent"
          : "figures ml-auto min-w-6 rounded-full bg-accent px-1.5 text-center text-xs leading-5 text-on-accent",
      )}
    >
      <span aria-hidden="true">{!collapsed && (count > 99 ? "99+" : count)}</span>
      <span className="sr-only">{t("waiting", { count })}</span>
    </span>
  );
}
