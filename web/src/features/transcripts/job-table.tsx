// biome-ignore-all lint/a11y/useSemanticElements: rows out of sight are left out, which the elements of a table do not allow
// biome-ignore-all lint/a11y/useFocusableInteractive: a table that is read, not a grid: the links and boxes in it take the focus
/** The list on a wide screen. Rows far from the window are not on the page: a table by its roles, not by its elements. */
import { ArrowDown, ArrowUp } from "lucide-react";
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
import { formatClock, formatDateTime, formatFullDateTime } from "@/lib/format";
import { titleOf } from "@/lib/job-title";
import { GroupChips } from "./groups/group-chips";
import { HeldNote } from "./held-note";
import { JobActions } from "./job-actions";
import { ROW_LINK } from "./list-keys";
import { MadeFiles } from "./made-files";
import { RowCheck } from "./row-check";
import { ariaSort, type Sort, type SortedBy, toggledSort } from "./sorting";
import type { ListProps } from "./use-list";

const COLUMNS = ["filename", "status", "type", "date", "duration", "actions"] as const;
/** The sort order for a click on a column's heading. */
const SORTS: Partial<Record<(typeof COLUMNS)[number], SortedBy>> = {
  filename: "name",
  status: "state",
  date: "date",
  duration: "length",
};
const SKELETONS = ["a", "b", "c", "d", "e", "f"];
const ROW_PX = 57;

/** Beside the open sidebar, the name uses the space of type and date, which are then in a line below it. */
const GRID =
  "grid grid-cols-[2rem_minmax(0,1fr)_8.5rem_8.5rem_6rem] @4xl:grid-cols-[2rem_minmax(0,1fr)_8.5rem_4.5rem_9.5rem_8.5rem_6rem]";
const BELOW_NAME = "@max-4xl:hidden";
const CELL = "px-3 py-(--row)";

export function JobTable({ jobs, selection, onToggle, onToggleAll, kept, sort, onSort }: ListProps) {
  const { t } = useTranslation("transcripts");
  const chosen = selection.ids.size;
  return (
    <div
      role="table"
      aria-label={t("table")}
      aria-busy={!jobs}
      aria-rowcount={jobs ? jobs.length + 1 : -1}
      className="text-left text-[0.9375rem]"
    >
      <div role="rowgroup" className="sticky top-(--header-height) z-10 bg-paper shadow-[inset_0_-2px_0_var(--ink)]">
        <div role="row" aria-rowindex={1} className={cx(GRID, "items-center")}>
          <div role="columnheader" className="flex justify-center py-2.5">
            {jobs && (
              <RowCheck
                label={t("choose_all")}
                checked={chosen === 0 ? false : chosen === jobs.length || "indeterminate"}
                onToggle={onToggleAll}
              />
            )}
          </div>
          {COLUMNS.map((column) => (
            <div
              key={column}
              role="columnheader"
              {...(SORTS[column] && { "aria-sort": ariaSort(sort, SORTS[column]) })}
              className={cx(
                "kicker px-3 py-2.5",
                (column === "type" || column === "date") && BELOW_NAME,
                column === "duration" && "text-right",
              )}
            >
              {column === "actions" ? (
                <span className="sr-only">{t("columns.actions")}</span>
              ) : (
                <ColumnHead text={t(`columns.${column}`)} by={SORTS[column]} sort={sort} onSort={onSort} />
              )}
            </div>
          ))}
        </div>
      </div>
      {jobs ? (
        <WindowRows
          role="rowgroup"
          count={jobs.length}
          estimate={() => ROW_PX}
          order={jobs}
          keyOf={(position) => jobs[position]?.my_job_id ?? position}
          kept={kept}
          row={(position) => {
            const job = jobs[position];
            return (
              job && (
                <Row
                  job={job}
                  position={position}
                  chosen={selection.ids.has(job.my_job_id)}
                  onToggle={(reach) => onToggle(job.my_job_id, reach)}
                />
              )
            );
          }}
        />
      ) : (
        SKELETONS.map((key) => <SkeletonRow key={key} />)
      )}
    </div>
  );
}

interface ColumnHeadProps {
  text: string;
  by: SortedBy | undefined;
  sort: Sort;
  onSort: (sort: Sort) => void;
}

/** The arrow shows the direction; its space is reserved, so that nothing moves. */
function ColumnHead({ text, by, sort, onSort }: ColumnHeadProps) {
  const { t } = useTranslation("transcripts");
  if (!by) return text;
  const order = ariaSort(sort, by);
  const Arrow = order === "ascending" ? ArrowUp : ArrowDown;
  return (
    <button
      type="button"
      title={t("sort.by_column")}
      onClick={() => onSort(toggledSort(sort, by))}
      className={cx(
        "kicker inline-flex min-h-6 items-center gap-1 rounded hover:text-ink",
        // Durations are aligned to the right.
        by === "length" && "flex-row-reverse",
        order !== "none" && "text-ink",
      )}
    >
      {text}
      <Arrow aria-hidden="true" className={cx("size-3.5", order === "none" && "invisible")} />
    </button>
  );
}

interface RowProps {
  job: Job;
  position: number;
  chosen: boolean;
  onToggle: (reach: boolean) => void;
}

function Row({ job, position, chosen, onToggle }: RowProps) {
  const { t } = useTranslation("transcripts");
  const locale = useLocale();
  const errorText = useJobErrorText();
  const name = titleOf(job) || t("untitled");
  return (
    <div
      role="row"
      aria-rowindex={position + 2}
      className={cx(
        GRID,
        "group relative scroll-mt-28 scroll-mb-20 border-b border-rule",
        chosen ? "bg-accent-wash" : "hover:bg-paper-sunk/60",
      )}
    >
      <div role="cell" className="flex justify-center pt-[calc(var(--row)+0.125rem)]">
        <RowCheck label={t("choose", { name })} checked={chosen} onToggle={onToggle} />
      </div>
      <div role="cell" className={CELL}>
        <Link
          {...{ [ROW_LINK]: job.my_job_id }}
          to={`/transcription/${job.my_job_id}`}
          className="font-serif text-[1.0625rem] leading-snug wrap-anywhere underline-offset-4 group-hover:underline after:absolute after:inset-0"
        >
          {name}
        </Link>
        {job.is_sample && <SampleBadge className="ml-2 align-middle" />}
        <p className="mt-0.5 text-sm text-ink-faint @4xl:hidden">
          <time dateTime={job.created_at}>{formatDateTime(job.created_at, locale)}</time>
          {", "}
          {t(`type.${job.transcription_type}`)}
        </p>
        <GroupChips job={job} />
        {isRunning(job) && (
          <div className="mt-2 max-w-md">
            <JobProgress job={job} />
          </div>
        )}
        {hasFailed(job) && job.error && <p className="mt-1 text-sm text-ink-soft">{errorText(job.error)}</p>}
        <HeldNote job={job} />
        <MadeFiles job={job} />
      </div>
      <div role="cell" className={CELL}>
        <JobStatus status={job.status} />
      </div>
      <div role="cell" className={`${CELL} ${BELOW_NAME} text-ink-soft`}>
        {t(`type.${job.transcription_type}`)}
      </div>
      <div role="cell" className={`${CELL} ${BELOW_NAME} text-ink-soft`}>
        <time dateTime={job.created_at} title={formatFullDateTime(job.created_at, locale)}>
          {formatDateTime(job.created_at, locale)}
        </time>
      </div>
      <div role="cell" className={`figures ${CELL} text-right`}>
        {job.duration == null ? "" : formatClock(job.duration)}
      </div>
      <div role="cell" className="py-1">
        <JobActions job={job} />
      </div>
    </div>
  );
}

function SkeletonRow() {
  return (
    <div role="row" className={cx(GRID, "border-b border-rule")}>
      <div role="cell" />
      {COLUMNS.map((column) => (
        <div key={column} role="cell" className={cx(CELL, (column === "type" || column === "date") && BELOW_NAME)}>
          {column !== "actions" && <Skeleton className={column === "filename" ? "h-5 w-3/5" : "h-5 w-4/5"} />}
        </div>
      ))}
    </div>
  );
}
