/** A row of the dashboard: a recording, its status, and an excerpt. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { RecentJob as Recent, Speaker } from "@/api";
import { hasFailed, isRunning } from "@/api/jobs";
import { JobProgress } from "@/components/job-progress";
import { JobStatus } from "@/components/job-status";
import { Skeleton } from "@/components/skeleton";
import { SpeakerLabel } from "@/domain/transcript/speaker-label";
import { speakerName } from "@/domain/transcript/speakers";
import { useJobErrorText } from "@/hooks/use-error-text";
import { useLocale } from "@/hooks/use-locale";
import { formatClock, formatDateTime, formatFullDateTime } from "@/lib/format";
import { titleOf } from "@/lib/job-title";

/** Maximum number of speakers shown by name. */
const NAMED = 3;

export function RecentJob({ recent: { job, excerpt, speakers } }: { recent: Recent }) {
  const { t } = useTranslation("transcripts");
  const locale = useLocale();
  const errorText = useJobErrorText();
  return (
    <li className="group relative border-b border-rule py-4">
      <div className="flex items-baseline gap-4">
        <Link
          to={`/transcription/${job.my_job_id}`}
          title={titleOf(job)}
          className="line-clamp-2 min-w-0 font-serif text-lg leading-snug wrap-anywhere underline-offset-4 group-hover:underline after:absolute after:inset-0"
        >
          {titleOf(job) || t("untitled")}
        </Link>
        {job.duration != null && <span className="figures ml-auto shrink-0 text-sm">{formatClock(job.duration)}</span>}
      </div>
      {excerpt && (
        <p lang={job.language ?? undefined} className="mt-1 line-clamp-2 max-w-[72ch] font-serif text-ink-soft wrap-anywhere">
          {excerpt}
        </p>
      )}
      <div className="mt-1.5 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-ink-faint">
        <JobStatus status={job.status} className="text-sm" />
        {speakers.length > 0 && <Speakers speakers={speakers} />}
        <span className="flex gap-x-4">
          <time dateTime={job.created_at} title={formatFullDateTime(job.created_at, locale)}>
            {formatDateTime(job.created_at, locale)}
          </time>
          <span>{t(`type.${job.transcription_type}`)}</span>
        </span>
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

/** Named speakers by name; otherwise the number of speakers. */
function Speakers({ speakers }: { speakers: readonly Speaker[] }) {
  const { t } = useTranslation("dashboard");
  if (speakers.every(({ name }) => !name)) {
    return <span>{t("speakers.count", { count: speakers.length })}</span>;
  }
  const more = speakers.length - NAMED;
  return (
    <ul aria-label={t("speakers.label")} className="flex min-w-0 flex-wrap gap-x-3 gap-y-1">
      {speakers.slice(0, NAMED).map((speaker) => (
        <li key={speaker.id} className="flex max-w-48 min-w-0">
          <SpeakerLabel id={speaker.id} name={speakerName(speaker)} />
        </li>
      ))}
      {more > 0 && <li>{t("speakers.more", { count: more })}</li>}
    </ul>
  );
}

export function RecentJobSkeleton() {
  return (
    <li className="border-b border-rule py-4">
      <div className="flex justify-between gap-8">
        <Skeleton className="h-6 w-3/5" />
        <Skeleton className="h-5 w-12" />
      </div>
      <Skeleton className="mt-2.5 h-4 w-11/12 max-w-[72ch]" />
      <Skeleton className="mt-2.5 h-4 w-52" />
    </li>
  );
}
