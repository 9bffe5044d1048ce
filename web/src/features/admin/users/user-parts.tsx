/** Parts of an account shared by the table and the cards. */
import { ShieldCheck } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { ManagedUser } from "@/api/admin";
import { useLocale } from "@/hooks/use-locale";
import { formatAgo, formatFullDateTime } from "@/lib/format";

/** The address; a long one breaks before its host first, and only then elsewhere. */
export function UserEmail({ user }: { user: ManagedUser }) {
  return (
    <span className="wrap-anywhere">
      {user.email.split(/(?<=@)/).map((part) => (
        <span key={part} className="inline-block max-w-full">
          {part}
        </span>
      ))}
    </span>
  );
}

export function UserName({ user }: { user: ManagedUser }) {
  const { t } = useTranslation("admin");
  return user.fullname ?? <span className="text-ink-faint">{t("no_name")}</span>;
}

/** Shown for administrators only. */
export function AdminMark({ user }: { user: ManagedUser }) {
  const { t } = useTranslation("admin");
  if (user.role !== "admin") return null;
  return (
    <span className="flex items-center gap-1 text-xs text-accent">
      <ShieldCheck aria-hidden="true" className="size-3.5 shrink-0" />
      {t("role.admin")}
    </span>
  );
}

/** Name of the plan. */
export function UserPlan({ user }: { user: ManagedUser }) {
  const { t } = useTranslation("admin");
  if (user.subscription_id === null) return <span className="text-ink-faint">{t("no_plan")}</span>;
  return <span className="wrap-anywhere">{user.plan_name ?? user.subscription_id}</span>;
}

/** Time of the last use; the exact time is in a tooltip. */
export function LastUse({ user }: { user: ManagedUser }) {
  const { t } = useTranslation("admin");
  const locale = useLocale();
  if (user.last_used_at === null) return <span className="text-ink-faint">{t("no_activity")}</span>;
  return (
    <time dateTime={user.last_used_at} title={formatFullDateTime(user.last_used_at, locale)}>
      {formatAgo(user.last_used_at, locale)}
    </time>
  );
}
