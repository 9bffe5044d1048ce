/** The dashboard: a new recording, texts in progress, and the newest texts. */

import { useQuery } from "@tanstack/react-query";
import { ArrowRight } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { RecentJob as RecentOne } from "@/api";
import { dashboardQuery, jobsSummaryQuery } from "@/api/jobs";
import { loadSyncQuery } from "@/api/nocodb";
import { LinkButton } from "@/components/button";
import { NoRecordings } from "@/components/drawings";
import { EmptyState, ErrorState } from "@/components/state-panel";
import { useDeletedJobs } from "@/hooks/use-undoable-delete";
import { toast } from "@/lib/toast";
import { Continued } from "./continued";
import { Figures } from "./figures";
import { RecentJob, RecentJobSkeleton } from "./recent-job";
import { SectionHead } from "./section-head";
import { UsageLine } from "./usage-line";

const SKELETONS = ["a", "b", "c", "d"];

/** `start` is the area for the next recording. */
export function DashboardPage({ start }: { start: ReactNode }) {
  useSyncOnLoad();
  return (
    <div className="mx-auto flex w-full max-w-5xl flex-1 flex-col gap-7 px-4 py-5 md:px-8 md:py-7">
      {start}
      <UsageLine />
      <Work />
    </div>
  );
}

/** Synchronises the external database, if there is one. The server decides whether the last run is recent enough. */
function useSyncOnLoad() {
  const { t } = useTranslation("dashboard");
  const { data } = useQuery(loadSyncQuery());
  useEffect(() => {
    if (data?.failed) toast.error(t("sync_failed"));
  }, [data, t]);
}

function Work() {
  const { t } = useTranslation("dashboard");
  const work = useQuery(dashboardQuery());
  const summary = useQuery(jobsSummaryQuery());
  const deleted = useDeletedJobs();
  if (work.isError && !work.data) {
    return <ErrorState title={t("load_failed")} error={work.error} onRetry={() => void work.refetch()} />;
  }
  const isNotDeleted = ({ job }: { job: { my_job_id: string } }) => !deleted.has(job.my_job_id);
  const continued = work.data?.continued.filter(isNotDeleted) ?? [];
  const recent = work.data?.recent.filter(isNotDeleted);
  if (recent?.length === 0) return <NothingYet />;
  return (
    <>
      {continued.length > 0 && <Continued texts={continued} />}
      <Recent recent={recent} />
      <Figures summary={summary.data} failed={summary.isError} />
    </>
  );
}

function Recent({ recent }: { recent: readonly RecentOne[] | undefined }) {
  const { t } = useTranslation("dashboard");
  return (
    <section aria-labelledby="recent" className="min-w-0">
      <SectionHead id="recent" title={t("recent")}>
        {recent && <p className="text-sm text-ink-faint max-sm:sr-only">{t("count", { count: recent.length })}</p>}
        <Link
          to="/transcriptions"
          className="ml-auto inline-flex shrink-0 items-center gap-1.5 text-[0.9375rem] text-accent underline-offset-4 hover:underline"
        >
          {t("all")}
          <ArrowRight aria-hidden="true" className="size-4" />
        </Link>
      </SectionHead>
      <ol aria-busy={!recent}>
        {recent
          ? recent.map((job) => <RecentJob key={job.job.my_job_id} recent={job} />)
          : SKELETONS.map((key) => <RecentJobSkeleton key={key} />)}
      </ol>
    </section>
  );
}

function NothingYet() {
  const { t } = useTranslation("dashboard");
  return (
    <EmptyState
      drawing={NoRecordings}
      className="flex-1 justify-center"
      title={t("empty.title")}
      text={t("empty.text")}
      actions={<LinkButton to="/upload">{t("empty.action")}</LinkButton>}
    />
  );
}
