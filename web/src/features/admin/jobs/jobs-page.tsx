/** /admin/transcriptions: the newest jobs of all users. */

import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { adminJobsQuery } from "@/api/admin-jobs";
import { Button } from "@/components/button";
import { NoRecordings, NothingFound } from "@/components/drawings";
import { EmptyState, ErrorState } from "@/components/state-panel";
import { useMediaQuery } from "@/hooks/use-media-query";
import { ADMIN_JOBS } from "@/rules/constants";
import { JobCards, JobTable } from "./job-list";
import { Toolbar } from "./toolbar";
import { useFilter } from "./use-filter";

export function JobsPage() {
  const { t } = useTranslation("admin-jobs");
  const { filter, filtered, setFilter, clear } = useFilter();
  const { data, error, refetch } = useQuery(adminJobsQuery(filter));
  const wide = useMediaQuery("(width >= 75rem)");
  const List = wide ? JobTable : JobCards;
  return (
    <div
      data-density="compact"
      className="mx-auto flex w-full max-w-7xl flex-1 flex-col gap-4 px-4 py-4 text-[0.9375rem] md:px-8 md:py-6"
    >
      <h2 className="sr-only">{t("title")}</h2>
      <Toolbar filter={filter} onFilter={setFilter} onClear={filtered ? clear : undefined}>
        {data ? t("found", { count: data.items.length }) : !error && t("loading")}
      </Toolbar>
      {error && !data ? (
        <ErrorState title={t("load_failed")} error={error} onRetry={() => void refetch()} />
      ) : data?.items.length === 0 ? (
        <EmptyState
          drawing={filtered ? NothingFound : NoRecordings}
          title={t("nothing")}
          text={t(filtered ? "nothing_text" : "empty_text")}
          actions={filtered && <Button onClick={clear}>{t("show_all")}</Button>}
        />
      ) : (
        <List jobs={data?.items} />
      )}
      {data?.items.length === ADMIN_JOBS && <p className="text-sm text-ink-soft">{t("latest")}</p>}
    </div>
  );
}
