/** The accounts on a wide screen. */
import { useTranslation } from "react-i18next";
import type { ManagedUser } from "@/api/admin";
import { Skeleton } from "@/components/skeleton";
import { UserActions } from "./user-actions";
import { UserStatus } from "./user-status";

const WIDTHS = { email: "w-[24%]", name: "", status: "w-37", role: "w-31", actions: "w-76" } as const;
const COLUMNS = ["email", "name", "status", "role", "actions"] as const;
const SKELETONS = ["a", "b", "c", "d", "e", "f", "g", "h"];
const CELL = "px-3 py-(--row) align-middle first:pl-0 last:pr-0";

/** Without users, the shape of the list that is on its way. */
export function UserTable({ users }: { users: readonly ManagedUser[] | undefined }) {
  const { t } = useTranslation("admin");
  return (
    <table className="w-full table-fixed border-collapse text-left text-sm" aria-label={t("table")} aria-busy={!users}>
      <thead>
        <tr>
          {COLUMNS.map((column) => (
            <th
              key={column}
              scope="col"
              className={`kicker sticky top-(--header-height) z-10 bg-paper px-3 py-2 shadow-[inset_0_-2px_0_var(--ink)] first:pl-0 last:pr-0 ${WIDTHS[column]}`}
            >
              {column === "actions" ? <span className="sr-only">{t("columns.actions")}</span> : t(`columns.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {users ? users.map((user) => <Row key={user.id} user={user} />) : SKELETONS.map((key) => <SkeletonRow key={key} />)}
      </tbody>
    </table>
  );
}

function Row({ user }: { user: ManagedUser }) {
  const { t } = useTranslation("admin");
  return (
    <tr className="border-b border-rule hover:bg-paper-sunk/60">
      <td className={`${CELL} wrap-anywhere`}>{user.email}</td>
      <td className={`${CELL} wrap-anywhere`}>{user.fullname ?? <span className="text-ink-faint">{t("no_name")}</span>}</td>
      <td className={CELL}>
        <UserStatus status={user.status} />
      </td>
      <td className={`${CELL} text-ink-soft`}>{t(`role.${user.role}`)}</td>
      <td className={CELL}>
        <UserActions user={user} className="justify-end" />
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
