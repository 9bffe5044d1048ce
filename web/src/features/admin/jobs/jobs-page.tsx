/** /admin/transcriptions: the newest jobs of all users. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { anybodysJobsQuery } from "@/api/admin-jobs";
import { Button } from "@/components/button";
import { SearchBox } from "@/components/search-box";
import { EmptyState, ErrorState } from "@/components/state-panel";
import { useMediaQuery } from "@/hooks/use-media-query";
import { JobCards, JobTable } from "./job-list";

/** The server gives no more. */
const MOST = 100;

export function JobsPage() {
  const { t } = useTranslation("admin-jobs");
  const [params, setParams] = useSearchParams();
  const search = params.get("q")?.trim() ?? "";
  // Typing replaces the history entry; the back button leaves the page, not the last letter.
  const setSearch = (q: string) => setParams(q ? { q } : {}, { replace: true });
  const { data, error, refetch } = useQuery(anybodysJobsQuery(search));
  const wide = useMediaQuery("(width >= 75rem)");
  const List = wide ? JobTable : JobCards;
  return (
    <div
      data-density="compact"
      className="mx-auto flex w-full max-w-7xl flex-1 flex-col gap-4 px-4 py-4 text-[0.9375rem] md:px-8 md:py-6"
    >
      <h2 className="sr-only">{t("title")}</h2>
      <search className="flex flex-wrap items-center gap-x-5 gap-y-2">
        <SearchBox label={t("search")} clearLabel={t("clear_search")} value={search} onChange={setSearch} className="sm:w-80" />
        <p role="status" className="text-sm text-ink-soft">
          {data ? t("found", { count: data.items.length }) : !error && t("loading")}
        </p>
      </search>
      {error && !data ? (
        <ErrorState title={t("load_failed")} error={error} onRetry={() => void refetch()} />
      ) : data?.items.length === 0 ? (
        <EmptyState
          title={t("nothing")}
          text={t(search ? "nothing_text" : "empty_text")}
          actions={search && <Button onClick={() => setSearch("")}>{t("show_all")}</Button>}
        />
      ) : (
        <List jobs={data?.items} />
      )}
      {data?.items.length === MOST && <p className="text-sm text-ink-soft">{t("latest")}</p>}
    </div>
  );
}
