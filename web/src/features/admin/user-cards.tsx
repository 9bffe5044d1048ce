/** The accounts on a phone. */
import { useTranslation } from "react-i18next";
import type { ManagedUser } from "@/api/admin";
import { Skeleton } from "@/components/skeleton";
import { UserActions } from "./user-actions";
import { UserStatus } from "./user-status";

const SKELETONS = ["a", "b", "c", "d", "e"];

export function UserCards({ users }: { users: readonly ManagedUser[] | undefined }) {
  const { t } = useTranslation("admin");
  return (
    <ul aria-label={t("table")} aria-busy={!users} className="border-t-2 border-ink">
      {users ? users.map((user) => <Card key={user.id} user={user} />) : SKELETONS.map((key) => <SkeletonCard key={key} />)}
    </ul>
  );
}

function Card({ user }: { user: ManagedUser }) {
  const { t } = useTranslation("admin");
  return (
    <li className="flex flex-col gap-2 border-b border-rule py-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <p className="min-w-0 font-strong wrap-anywhere">{user.email}</p>
        <UserStatus status={user.status} />
      </div>
      <p className="text-sm text-ink-soft">
        {user.fullname ?? t("no_name")}
        {" · "}
        {t(`role.${user.role}`)}
      </p>
      <UserActions user={user} />
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
