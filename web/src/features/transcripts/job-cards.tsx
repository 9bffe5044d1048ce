/** The list on a phone. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Job } from "@/api";
import { hasFailed, isRunning } from "@/api/jobs";
import { JobProgress } from "@/components/job-progress";
import { JobStatus } from "@/components/job-status";
import { SampleBadge } from "@/components/sample-badge";
import { Skeleton } from "@/components/skeleton";
import { WindowRows } from "@/domain/transcript/window-rows";
import { useJobErrorText } from "@/hooks/use-error-text";
import { useLocale } from "@/hooks/use-locale";
import { cx } from "@/lib/class-names";
import { formatClock, formatDateTime } from "@/lib/format";
import { titleOf } from "@/lib/job-title";
import { GroupChips } from "./groups/group-chips";
import { HeldNote } from "./held-note";
import { JobActions } from "./job-actions";
import { ROW_LINK } from "./list-keys";
import { MadeFiles } from "./made-files";
import { RowCheck } from "./row-check";
import type { ListProps } from "./use-list";

const SKELETONS = ["a", "b", "c", "d", "e"];
const CARD_PX = 96;

export function JobCards({ jobs, selection, onToggle, kept }: ListProps) {
  const { t } = useTranslation("transcripts");
  return (
    <section aria-label={t("table")} aria-busy={!jobs} className="border-t-2 border-ink">
      {jobs ? (
        <WindowRows
          role="list"
          count={jobs.length}
          estimate={() => CARD_PX}
          order={jobs}
          keyOf={(position) => jobs[position]?.my_job_id ?? position}
          kept={kept}
          row={(position) => {
            const job = jobs[position];
            return (
              job && (
                <Card job={job} chosen={selection.ids.has(job.my_job_id)} onToggle={(reach) => onToggle(job.my_job_id, reach)} />
              )
            );
          }}
        />
      ) : (
        SKELETONS.map((key) => <SkeletonCard key={key} />)
      )}
    </section>
  );
}

interface CardProps {
  job: Job;
  chosen: boolean;
  onToggle: (reach: boolean) => void;
}

function Card({ job, chosen, onToggle }: CardProps) {
  const { t } = useTranslation("transcripts");
  const locale = useLocale();
  const errorText = useJobErrorText();
  const name = titleOf(job) || t("untitled");
  return (
    <div className={cx("relative -mx-4 border-b border-rule px-4 pt-3.5 pb-1", chosen && "bg-accent-wash")}>
      <div className="flex items-start gap-3">
        <div className="pt-1">
          <RowCheck label={t("choose", { name })} checked={chosen} onToggle={onToggle} />
        </div>
        <Link
          {...{ [ROW_LINK]: job.my_job_id }}
          to={`/transcription/${job.my_job_id}`}
          className="min-w-0 font-serif text-lg leading-snug wrap-anywhere after:absolute after:inset-0"
        >
          {name}
        </Link>
        {job.duration != null && <span className="figures ml-auto shrink-0 pt-1 text-sm">{formatClock(job.duration)}</span>}
      </div>
      {hasFailed(job) && job.error && <p className="mt-1 text-sm text-ink-soft">{errorText(job.error)}</p>}
      <GroupChips job={job} />
      <HeldNote job={job} />
      <MadeFiles job={job} />
      {isRunning(job) && (
        <div className="mt-2">
          <JobProgress job={job} />
        </div>
      )}
      <div className="flex items-center gap-x-3 text-sm whitespace-nowrap text-ink-faint">
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1 py-2">
          {job.is_sample && <SampleBadge />}
          <JobStatus status={job.status} className="text-sm" />
          <span className="flex gap-x-3">
            <time dateTime={job.created_at}>{formatDateTime(job.created_at, locale)}</time>
            <span>{t(`type.${job.transcription_type}`)}</span>
          </span>
        </div>
        <JobActions job={job} className="-mr-2.5 shrink-0 self-start" />
      </div>
    </div>
  );
}

function SkeletonCard() {
  return (
    <div className="border-b border-rule py-4">
      <Skeleton className="h-6 w-3/5" />
      <Skeleton className="mt-3 h-4 w-48" />
    </div>
  );
}
