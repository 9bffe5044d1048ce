/** The accounts on a phone. */
import { useTranslation } from "react-i18next";
import { useUser } from "@/api";
import type { ManagedUser } from "@/api/admin";
import { Skeleton } from "@/components/skeleton";
import { type OpenUser, UserActions, type UserListProps } from "./user-actions";
import { AdminMark, LastUse, UserEmail, UserName, UserPlan } from "./user-parts";
import { UserStatus } from "./user-status";

const SKELETONS = ["a", "b", "c", "d", "e"];

export function UserCards({ users, onOpen }: UserListProps) {
  const { t } = useTranslation("admin");
  return (
    <ul aria-label={t("table")} aria-busy={!users} className="border-t-2 border-ink">
      {users
        ? users.map((user) => <Card key={user.id} user={user} onOpen={onOpen} />)
        : SKELETONS.map((key) => <SkeletonCard key={key} />)}
    </ul>
  );
}

function Card({ user, onOpen }: { user: ManagedUser; onOpen: (open: OpenUser) => void }) {
  const { t } = useTranslation("admin");
  const self = useUser()?.id === user.id;
  return (
    <li className="flex flex-col gap-2.5 border-b border-rule py-3">
      {/* The status stays in the corner, however long the address is. */}
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-3">
        <p className="font-strong">
          <UserEmail user={user} />
        </p>
        <UserStatus status={user.status} />
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-soft">
        <span className="wrap-anywhere">
          <UserName user={user} />
        </span>
        <AdminMark user={user} />
        {self && <span className="text-ink-faint">{t("you")}</span>}
      </div>
      <dl className="flex flex-wrap gap-x-5 gap-y-0.5 text-sm text-ink-soft">
        <div className="flex gap-1.5">
          <dt className="text-ink-faint">{t("columns.plan")}</dt>
          <dd>
            <UserPlan user={user} />
          </dd>
        </div>
        <div className="flex gap-1.5">
          <dt className="text-ink-faint">{t("columns.activity")}</dt>
          <dd>
            <LastUse user={user} />
          </dd>
        </div>
      </dl>
      <UserActions user={user} onOpen={onOpen} />
    </li>
  );
}

function SkeletonCard() {
  return (
    <li className="border-b border-rule py-3.5">
      <Skeleton className="h-5 w-3/5" />
      <Skeleton className="mt-2 h-4 w-2/5" />
      <Skeleton className="mt-3 h-8 w-48" />
    </li>
  );
}
