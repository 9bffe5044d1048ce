/** The first page after signing in: what is going on, what was done, how much it was and how much is left. */
import { useQuery } from "@tanstack/react-query";
import { ArrowRight, LogOut, Plus, SlidersHorizontal } from "lucide-react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";
import { type Job, signOut } from "@/api";
import { jobsSummaryQuery, recentJobsQuery } from "@/api/jobs";
import { loadSyncQuery } from "@/api/nocodb";
import { Button, LinkButton } from "@/components/button";
import { EmptyState, ErrorState } from "@/components/state-panel";
import { useDeletedJobs } from "@/hooks/use-undoable-delete";
import { toast } from "@/lib/toast";
import { Figures } from "./figures";
import { MinutesCard } from "./minutes-card";
import { PlanCard } from "./plan-card";
import { RecentJob, RecentJobSkeleton } from "./recent-job";

const RECENT = 10;
const SKELETONS = ["a", "b", "c", "d"];

export function DashboardPage() {
  const { t } = useTranslation(["dashboard", "common"]);
  const jobs = useQuery(recentJobsQuery(RECENT));
  const summary = useQuery(jobsSummaryQuery());
  const deleted = useDeletedJobs();
  useSyncOnLoad();
  const visible = jobs.data?.items.filter((job) => !deleted.has(job.my_job_id));

  if (jobs.isError && !jobs.data) {
    return <ErrorState title={t("load_failed")} error={jobs.error} onRetry={() => void jobs.refetch()} />;
  }
  return (
    <div className="mx-auto grid w-full max-w-6xl content-start gap-x-14 gap-y-8 px-4 py-6 md:px-8 md:py-9 lg:grid-cols-[minmax(0,1fr)_15rem] lg:grid-rows-[auto_1fr]">
      <aside
        aria-label={t("account")}
        className="grid grid-cols-2 content-start gap-x-6 gap-y-6 sm:gap-x-8 lg:col-start-2 lg:row-start-1 lg:grid-cols-1"
      >
        <MinutesCard />
        <PlanCard />
      </aside>
      <div className="flex min-w-0 flex-col lg:col-start-1 lg:row-span-2 lg:row-start-1">
        {visible?.length === 0 ? <NothingYet /> : <Recent jobs={visible} />}
      </div>
      <div className="flex flex-col gap-6 lg:col-start-2 lg:row-start-2">
        <Ways />
        {visible?.length !== 0 && (
          <Figures summary={summary.data} failed={summary.isError} className="border-t border-rule pt-3" />
        )}
      </div>
    </div>
  );
}

/** With the external database, where there is one. The server decides whether the last run is young enough. */
function useSyncOnLoad() {
  const { t } = useTranslation("dashboard");
  const { data } = useQuery(loadSyncQuery());
  useEffect(() => {
    if (data?.failed) toast.error(t("sync_failed"));
  }, [data, t]);
}

function Recent({ jobs }: { jobs: readonly Job[] | undefined }) {
  const { t } = useTranslation("dashboard");
  return (
    <section aria-labelledby="recent" className="min-w-0">
      <div className="flex items-baseline gap-4 border-b-2 border-ink pb-2">
        <h2 id="recent" className="headline text-[1.375rem]">
          {t("recent")}
        </h2>
        {jobs && <p className="text-sm text-ink-faint max-sm:sr-only">{t("count", { count: jobs.length })}</p>}
        <Link
          to="/transcriptions"
          className="ml-auto inline-flex shrink-0 items-center gap-1.5 text-[0.9375rem] text-accent underline-offset-4 hover:underline"
        >
          {t("all")}
          <ArrowRight aria-hidden="true" className="size-4" />
        </Link>
      </div>
      <ol aria-busy={!jobs}>
        {jobs
          ? jobs.map((job) => <RecentJob key={job.my_job_id} job={job} />)
          : SKELETONS.map((key) => <RecentJobSkeleton key={key} />)}
      </ol>
    </section>
  );
}

/** The next recording, the profile, and the way out. */
function Ways() {
  const { t } = useTranslation(["dashboard", "common"]);
  const navigate = useNavigate();
  return (
    <nav aria-label={t("ways.label")} className="flex flex-col gap-2 border-t border-rule pt-4">
      <LinkButton to="/upload">
        <Plus aria-hidden="true" />
        {t("common:new_transcription")}
      </LinkButton>
      <LinkButton to="/profile" look="quiet">
        <SlidersHorizontal aria-hidden="true" />
        {t("ways.settings")}
      </LinkButton>
      <Button
        look="quiet"
        onClick={async () => {
          await signOut();
          await navigate("/login", { replace: true });
        }}
      >
        <LogOut aria-hidden="true" />
        {t("ways.sign_out")}
      </Button>
    </nav>
  );
}

function NothingYet() {
  const { t } = useTranslation(["dashboard", "common"]);
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
