/** The first page after signing in: what is going on, what was done, how much it was. */
import { useQuery } from "@tanstack/react-query";
import { ArrowRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { jobsSummaryQuery, recentJobsQuery } from "@/api/jobs";
import { LinkButton } from "@/components/button";
import { EmptyState, ErrorState } from "@/components/state-panel";
import { useDeletedJobs } from "@/hooks/use-undoable-delete";
import { Figures } from "./figures";
import { RecentJob, RecentJobSkeleton } from "./recent-job";

const RECENT = 10;
const SKELETONS = ["a", "b", "c", "d"];

export function DashboardPage() {
  const { t } = useTranslation("dashboard");
  const jobs = useQuery(recentJobsQuery(RECENT));
  const summary = useQuery(jobsSummaryQuery());
  const deleted = useDeletedJobs();
  const visible = jobs.data?.items.filter((job) => !deleted.has(job.my_job_id));

  if (jobs.isError && !jobs.data) {
    return <ErrorState title={t("load_failed")} error={jobs.error} onRetry={() => void jobs.refetch()} />;
  }
  if (visible?.length === 0) return <NothingYet />;
  return (
    <div className="mx-auto grid w-full max-w-6xl gap-x-14 gap-y-8 px-4 py-6 md:px-8 md:py-9 lg:grid-cols-[minmax(0,1fr)_15rem]">
      <Figures summary={summary.data} failed={summary.isError} className="lg:order-last" />
      <section aria-labelledby="recent" className="min-w-0">
        <div className="flex items-baseline justify-between gap-4 border-b-2 border-ink pb-2">
          <h2 id="recent" className="headline text-[1.375rem]">
            {t("recent")}
          </h2>
          <Link
            to="/transcriptions"
            className="inline-flex items-center gap-1.5 text-[0.9375rem] text-accent underline-offset-4 hover:underline"
          >
            {t("all")}
            <ArrowRight aria-hidden="true" className="size-4" />
          </Link>
        </div>
        <ol aria-busy={!visible}>
          {visible
            ? visible.map((job) => <RecentJob key={job.my_job_id} job={job} />)
            : SKELETONS.map((key) => <RecentJobSkeleton key={key} />)}
        </ol>
      </section>
    </div>
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
