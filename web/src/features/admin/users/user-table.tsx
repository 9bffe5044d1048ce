/** The accounts on a wide screen. */
import { useTranslation } from "react-i18next";
import type { ManagedUser } from "@/api/admin";
import { ListTable } from "../list-table";
import { type OpenUser, UserActions, type UserListProps } from "./user-actions";
import { AdminMark, LastUse, UserEmail, UserName, UserPlan } from "./user-parts";
import { UserStatus } from "./user-status";

const WIDTHS = { email: "", name: "w-[17%]", plan: "w-30", status: "w-36", activity: "w-28", actions: "w-54" } as const;
const CELL = "px-2.5 py-(--row) align-middle first:pl-0 last:pr-0";

export function UserTable({ users, onOpen }: UserListProps) {
  const { t } = useTranslation("admin");
  return (
    <ListTable label={t("table")} widths={WIDTHS} heading={(column) => t(`columns.${column}`)} padding="px-2.5" cell={CELL}>
      {users?.map((user) => (
        <Row key={user.id} user={user} onOpen={onOpen} />
      ))}
    </ListTable>
  );
}

function Row({ user, onOpen }: { user: ManagedUser; onOpen: (open: OpenUser) => void }) {
  return (
    <tr className="border-b border-rule hover:bg-paper-sunk/60">
      <td className={CELL}>
        <UserEmail user={user} />
      </td>
      <td className={`${CELL} wrap-anywhere`}>
        <UserName user={user} />
        <AdminMark user={user} />
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
