/** The list on a phone. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Job } from "@/api";
import { hasFailed, isRunning } from "@/api/jobs";
import { JobProgress } from "@/components/job-progress";
import { JobStatus } from "@/components/job-status";
import { Skeleton } from "@/components/skeleton";
import { useJobErrorText } from "@/hooks/use-error-text";
import { useLocale } from "@/hooks/use-locale";
import { formatClock, formatDateTime } from "@/lib/format";
import { JobActions } from "./job-actions";

const SKELETONS = ["a", "b", "c", "d", "e"];

export function JobCards({ jobs }: { jobs: readonly Job[] | undefined }) {
  const { t } = useTranslation("transcripts");
  return (
    <ul aria-label={t("table")} aria-busy={!jobs} className="border-t-2 border-ink">
      {jobs ? jobs.map((job) => <Card key={job.my_job_id} job={job} />) : SKELETONS.map((key) => <SkeletonCard key={key} />)}
    </ul>
  );
}

function Card({ job }: { job: Job }) {
  const { t } = useTranslation("transcripts");
  const locale = useLocale();
  const errorText = useJobErrorText();
  return (
    <li className="relative border-b border-rule pt-3.5 pb-1">
      <div className="flex items-baseline gap-3">
        <Link
          to={`/transcription/${job.my_job_id}`}
          className="min-w-0 font-serif text-lg leading-snug wrap-anywhere after:absolute after:inset-0"
        >
          {job.original_filename || t("untitled")}
        </Link>
        {job.duration != null && <span className="figures ml-auto shrink-0 text-sm">{formatClock(job.duration)}</span>}
      </div>
      {hasFailed(job) && job.error && <p className="mt-1 text-sm text-ink-soft">{errorText(job.error)}</p>}
      {isRunning(job) && (
        <div className="mt-2">
          <JobProgress job={job} />
        </div>
      )}
      <div className="flex items-center gap-x-3 text-sm whitespace-nowrap text-ink-faint">
        <JobStatus status={job.status} className="text-sm" />
        <time dateTime={job.created_at} className="min-w-0 truncate">
          {formatDateTime(job.created_at, locale)}
        </time>
        <span>{t(`type.${job.transcription_type}`)}</span>
        <JobActions job={job} className="-mr-2.5 ml-auto" />
      </div>
    </li>
  );
}

function SkeletonCard() {
  return (
    <li className="border-b border-rule py-4">
      <Skeleton className="h-6 w-3/5" />
      <Skeleton className="mt-3 h-4 w-48" />
    </li>
  );
}
