/** /admin/users: accounts with their status, role and minutes. */

import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { usersQuery } from "@/api/admin";
import { Button } from "@/components/button";
import { NoPeople } from "@/components/drawings";
import { EmptyState, ErrorState } from "@/components/state-panel";
import { useMediaQuery } from "@/hooks/use-media-query";
import { useOpenSheets } from "@/hooks/use-open-sheets";
import { BalanceSheet } from "./balance-sheet";
import { EditSheet } from "./edit-sheet";
import { InviteSheet } from "./invite-sheet";
import { Toolbar } from "./toolbar";
import { useFilter } from "./use-filter";
import type { OpenUser } from "./user-actions";
import { UserCards } from "./user-cards";
import { UserTable } from "./user-table";

export function UsersPage() {
  const { t } = useTranslation("admin");
  const { filter, setFilter } = useFilter();
  const list = useInfiniteQuery(usersQuery(filter));
  const sheet = useOpenSheets<OpenUser | { sheet: "invite" }>();
  const wide = useMediaQuery("(width >= 80rem)");
  const users = list.data?.pages.flatMap((page) => page.users);
  const total = list.data?.pages[0]?.total;
  const List = wide ? UserTable : UserCards;
  // Shows the latest saved data; if the filter no longer includes the account, the data is that of opening the sheet.
  const openUser = sheet.open && "user" in sheet.open ? sheet.open.user : null;
  const opened = openUser && (users?.find(({ id }) => id === openUser.id) ?? openUser);
  return (
    // The sidebar takes a third of a tablet's width, so the layout depends on the container's width.
    <div
      data-density="compact"
      className="@container mx-auto flex w-full max-w-7xl flex-1 flex-col gap-4 px-4 py-4 text-[0.9375rem] md:px-8 md:py-6"
    >
      <h2 className="sr-only">{t("table")}</h2>
      <Toolbar filter={filter} onFilter={setFilter} onInvite={() => sheet.show({ sheet: "invite" })}>
        {total !== undefined ? t("total", { count: total }) : !list.isError && t("loading")}
      </Toolbar>
      {list.isError && !users ? (
        <ErrorState title={t("load_failed")} error={list.error} onRetry={() => void list.refetch()} />
      ) : users?.length === 0 ? (
        <EmptyState
          drawing={NoPeople}
          title={t("nothing")}
          text={t("nothing_text")}
          actions={<Button onClick={() => setFilter({ q: "", status: "", role: "", plan: "" })}>{t("show_all")}</Button>}
        />
      ) : (
        <List users={users} onOpen={sheet.show} />
      )}
      {list.hasNextPage && (
        <Button className="self-center" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t("load_more")}
        </Button>
      )}
      {sheet.open?.sheet === "invite" && <InviteSheet onClose={sheet.close} />}
      {opened && sheet.open?.sheet === "edit" && <EditSheet user={opened} onClose={sheet.close} />}
      {opened && sheet.open?.sheet === "balance" && <BalanceSheet user={opened} onClose={sheet.close} />}
    </div>
  );
}
