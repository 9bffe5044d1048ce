/** All of the user's jobs, newest first. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { jobListQuery } from "@/api/jobs";
import { Button, LinkButton } from "@/components/button";
import { EmptyState, ErrorState } from "@/components/state-panel";
import { useMediaQuery } from "@/hooks/use-media-query";
import { useDeletedJobs } from "@/hooks/use-undoable-delete";
import { JobCards } from "./job-cards";
import { JobTable } from "./job-table";
import { Toolbar } from "./toolbar";
import { useFilter } from "./use-filter";

export function TranscriptsPage() {
  const { t } = useTranslation("transcripts");
  const { filter, setFilter } = useFilter();
  const list = useInfiniteQuery(jobListQuery(filter));
  const deleted = useDeletedJobs();
  const wide = useMediaQuery("(width >= 60rem)");
  const jobs = list.data?.pages.flatMap((page) => page.items).filter((job) => !deleted.has(job.my_job_id));
  const filtered = filter.q !== undefined || filter.status !== undefined;
  const List = wide ? JobTable : JobCards;

  return (
    <div className="mx-auto flex w-full max-w-6xl flex-1 flex-col gap-5 px-4 py-5 md:px-8 md:py-7">
      <h2 className="sr-only">{t("table")}</h2>
      {(jobs?.length !== 0 || filtered) && <Toolbar filter={filter} onChange={setFilter} />}
      {list.isError && !list.data ? (
        <ErrorState title={t("load_failed")} error={list.error} onRetry={() => void list.refetch()} />
      ) : jobs?.length === 0 && !list.hasNextPage ? (
        <Nothing filtered={filtered} onReset={() => setFilter({ q: "", status: "" })} />
      ) : (
        <>
          <div className="@container">
            <List jobs={jobs} />
          </div>
          {list.hasNextPage && (
            <Button className="self-center" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
              {t("load_more")}
            </Button>
          )}
        </>
      )}
    </div>
  );
}

function Nothing({ filtered, onReset }: { filtered: boolean; onReset: () => void }) {
  const { t } = useTranslation(["transcripts", "common"]);
  if (filtered) {
    return (
      <EmptyState
        title={t("nothing.title")}
        text={t("nothing.text")}
        actions={<Button onClick={onReset}>{t("nothing.reset")}</Button>}
      />
    );
  }
  return (
    <EmptyState
      className="flex-1 justify-center"
      title={t("empty.title")}
      text={t("empty.text")}
      actions={
        <LinkButton to="/upload" look="primary">
          {t("common:new_transcription")}
        </LinkButton>
      }
    />
  );
}
