/** The accounts on a wide screen. */
import { useTranslation } from "react-i18next";
import type { ManagedUser } from "@/api/admin";
import { Skeleton } from "@/components/skeleton";
import { type OpenUser, UserActions, type UserListProps } from "./user-actions";
import { LastUse, UserName, UserPlan } from "./user-parts";
import { UserStatus } from "./user-status";

const WIDTHS = { email: "", name: "w-[18%]", plan: "w-24", status: "w-36", activity: "w-28", actions: "w-54" } as const;
const COLUMNS = ["email", "name", "plan", "status", "activity", "actions"] as const;
const SKELETONS = ["a", "b", "c", "d", "e", "f", "g", "h"];
const CELL = "px-2.5 py-(--row) align-middle first:pl-0 last:pr-0";

export function UserTable({ users, onOpen }: UserListProps) {
  const { t } = useTranslation("admin");
  return (
    <table className="w-full table-fixed border-collapse text-left text-sm" aria-label={t("table")} aria-busy={!users}>
      <thead>
        <tr>
          {COLUMNS.map((column) => (
            <th
              key={column}
              scope="col"
              className={`kicker sticky top-(--header-height) z-10 bg-paper px-2.5 py-2 shadow-[inset_0_-2px_0_var(--ink)] first:pl-0 last:pr-0 ${WIDTHS[column]}`}
            >
              {column === "actions" ? <span className="sr-only">{t("columns.actions")}</span> : t(`columns.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {users
          ? users.map((user) => <Row key={user.id} user={user} onOpen={onOpen} />)
          : SKELETONS.map((key) => <SkeletonRow key={key} />)}
      </tbody>
    </table>
  );
}

function Row({ user, onOpen }: { user: ManagedUser; onOpen: (open: OpenUser) => void }) {
  return (
    <tr className="border-b border-rule hover:bg-paper-sunk/60">
      <td className={`${CELL} wrap-anywhere`}>{user.email}</td>
      <td className={`${CELL} wrap-anywhere`}>
        <UserName user={user} />
      </td>
      <td className={CELL}>
        <UserPlan user={user} />
      </td>
      <td className={CELL}>
        <UserStatus status={user.status} />
      </td>
      <td className={`${CELL} text-ink-soft`}>
        <LastUse user={user} />
      </td>
      <td className={CELL}>
        <UserActions compact user={user} onOpen={onOpen} className="flex-nowrap justify-end" />
      </td>
    </tr>
  );
}

function SkeletonRow() {
  return (
    <tr className="border-b border-rule">
      {COLUMNS.map((column) => (
        <td key={column} className={`${CELL} h-11`}>
          {column !== "actions" && <Skeleton className="h-5 w-4/5" />}
        </td>
      ))}
    </tr>
  );
}
