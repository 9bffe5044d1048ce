/** The list on a wide screen. */
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
import { JobActions } from "./job-actions";

const COLUMNS = ["filename", "status", "type", "date", "duration", "actions"] as const;
const SKELETONS = ["a", "b", "c", "d", "e", "f"];
const CELL = "px-3 py-(--row) align-top first:pl-0 last:pr-0";

/** Without jobs, the shape of the list that is on its way. */
export function JobTable({ jobs }: { jobs: readonly Job[] | undefined }) {
  const { t } = useTranslation("transcripts");
  return (
    <table className="w-full table-fixed border-collapse text-left text-[0.9375rem]" aria-label={t("table")} aria-busy={!jobs}>
      <thead>
        <tr>
          {COLUMNS.map((column) => (
            <th
              key={column}
              scope="col"
              className={`kicker sticky top-(--header-height) z-10 bg-paper px-3 py-2.5 shadow-[inset_0_-2px_0_var(--ink)] first:pl-0 last:pr-0 ${WIDTHS[column]}`}
            >
              {column === "actions" ? <span className="sr-only">{t("columns.actions")}</span> : t(`columns.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {jobs ? jobs.map((job) => <Row key={job.my_job_id} job={job} />) : SKELETONS.map((key) => <SkeletonRow key={key} />)}
      </tbody>
    </table>
  );
}

/** Beside the open sidebar the name needs the room of these columns; then they stand in a line below it. */
const BELOW_NAME = "@max-4xl:hidden";

const WIDTHS: Record<(typeof COLUMNS)[number], string> = {
  filename: "",
  status: "w-34",
  type: `w-18 ${BELOW_NAME}`,
  date: `w-38 ${BELOW_NAME}`,
  duration: "w-30 text-right",
  actions: "w-24",
};

function Row({ job }: { job: Job }) {
  const { t } = useTranslation("transcripts");
  const locale = useLocale();
  const errorText = useJobErrorText();
  return (
    <tr className="group relative border-b border-rule hover:bg-paper-sunk/60">
      <td className={CELL}>
        <Link
          to={`/transcription/${job.my_job_id}`}
          className="font-serif text-[1.0625rem] leading-snug wrap-anywhere underline-offset-4 group-hover:underline after:absolute after:inset-0"
        >
          {job.original_filename || t("untitled")}
        </Link>
        <p className="mt-0.5 text-sm text-ink-faint @4xl:hidden">
          <time dateTime={job.created_at}>{formatDateTime(job.created_at, locale)}</time>
          {", "}
          {t(`type.${job.transcription_type}`)}
        </p>
        {isRunning(job) && (
          <div className="mt-2 max-w-md">
            <JobProgress job={job} />
          </div>
        )}
        {hasFailed(job) && job.error && <p className="mt-1 text-sm text-ink-soft">{errorText(job.error)}</p>}
      </td>
      <td className={CELL}>
        <JobStatus status={job.status} />
      </td>
      <td className={`${CELL} ${BELOW_NAME} text-ink-soft`}>{t(`type.${job.transcription_type}`)}</td>
      <td className={`${CELL} ${BELOW_NAME} text-ink-soft`}>
        <time dateTime={job.created_at} title={formatFullDateTime(job.created_at, locale)}>
          {formatDateTime(job.created_at, locale)}
        </time>
      </td>
      <td className={`figures ${CELL} text-right`}>{job.duration == null ? "" : formatClock(job.duration)}</td>
      <td className="py-1 align-top">
        <JobActions job={job} />
      </td>
    </tr>
  );
}

function SkeletonRow() {
  return (
    <tr className="border-b border-rule">
      {COLUMNS.map((column) => (
        <td key={column} className={`${CELL} ${column === "type" || column === "date" ? BELOW_NAME : ""}`}>
          {column !== "actions" && <Skeleton className={column === "filename" ? "h-5 w-3/5" : "h-5 w-4/5"} />}
        </td>
      ))}
    </tr>
  );
}
