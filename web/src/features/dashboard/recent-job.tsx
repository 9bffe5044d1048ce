/** A line of the dashboard's table of contents. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Job } from "@/api";
import { hasFailed, isRunning } from "@/api/jobs";
import { JobProgress } from "@/components/job-progress";
import { JobStatus } from "@/components/job-status";
import { Skeleton } from "@/components/skeleton";
import { useJobErrorText } from "@/hooks/use-error-text";
import { useLocale } from "@/hooks/use-locale";
import { formatClock, formatDateTime, formatFullDateTime } from "@/lib/format";

export function RecentJob({ job }: { job: Job }) {
  const { t } = useTranslation("transcripts");
  const locale = useLocale();
  const errorText = useJobErrorText();
  return (
    <li className="group relative border-b border-rule py-4">
      <div className="flex items-baseline gap-4">
        <Link
          to={`/transcription/${job.my_job_id}`}
          className="min-w-0 font-serif text-lg leading-snug wrap-anywhere underline-offset-4 group-hover:underline after:absolute after:inset-0"
        >
          {job.original_filename || t("untitled")}
        </Link>
        {job.duration != null && <span className="figures ml-auto shrink-0 text-sm">{formatClock(job.duration)}</span>}
      </div>
      <div className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-ink-faint">
        <JobStatus status={job.status} className="text-sm" />
        <time dateTime={job.created_at} title={formatFullDateTime(job.created_at, locale)}>
          {formatDateTime(job.created_at, locale)}
        </time>
        <span>{t(`type.${job.transcription_type}`)}</span>
      </div>
      {isRunning(job) && (
        <div className="mt-3">
          <JobProgress job={job} />
        </div>
      )}
      {hasFailed(job) && job.error && <p className="mt-2 text-[0.9375rem] text-ink-soft">{errorText(job.error)}</p>}
    </li>
  );
}

export function RecentJobSkeleton() {
  return (
    <li className="border-b border-rule py-4">
      <div className="flex justify-between gap-8">
        <Skeleton className="h-6 w-3/5" />
        <Skeleton className="h-5 w-12" />
      </div>
      <Skeleton className="mt-2.5 h-4 w-52" />
    </li>
  );
}
