/** /admin/users: who has an account, whether it may be used, and what it may do. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { usersQuery } from "@/api/admin";
import { Button } from "@/components/button";
import { SearchBox } from "@/components/search-box";
import { EmptyState, ErrorState } from "@/components/state-panel";
import { useMediaQuery } from "@/hooks/use-media-query";
import { UserCards } from "./user-cards";
import { UserTable } from "./user-table";

export function UsersPage() {
  const { t } = useTranslation("admin");
  const [params, setParams] = useSearchParams();
  const search = params.get("q")?.trim() ?? "";
  // Typing replaces the history entry; the back button leaves the page, not the last letter.
  const setSearch = (q: string) => setParams(q ? { q } : {}, { replace: true });
  const { data, error, refetch } = useQuery(usersQuery(search));
  const wide = useMediaQuery("(width >= 64rem)");
  const List = wide ? UserTable : UserCards;
  return (
    <div
      data-density="compact"
      className="mx-auto flex w-full max-w-6xl flex-1 flex-col gap-4 px-4 py-4 text-[0.9375rem] md:px-8 md:py-6"
    >
      <h2 className="sr-only">{t("table")}</h2>
      <search className="flex flex-wrap items-center gap-x-5 gap-y-2">
        <SearchBox label={t("search")} clearLabel={t("clear_search")} value={search} onChange={setSearch} className="sm:w-80" />
        <p role="status" className="text-sm text-ink-soft">
          {data ? t("total", { count: data.total }) : !error && t("loading")}
        </p>
      </search>
      {error && !data ? (
        <ErrorState title={t("load_failed")} error={error} onRetry={() => void refetch()} />
      ) : data?.users.length === 0 ? (
        <EmptyState
          title={t("nothing")}
          text={t("nothing_text")}
          actions={<Button onClick={() => setSearch("")}>{t("show_all")}</Button>}
        />
      ) : (
        <List users={data?.users} />
      )}
      {data && data.users.length > 0 && data.users.length < data.total && (
        <p className="text-sm text-ink-soft">{t("shown", { shown: data.users.length })}</p>
      )}
    </div>
  );
}
