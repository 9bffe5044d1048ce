/** Jobs of all users as a table, or as cards on a phone. While loading, placeholders of the rows. */
import { useTranslation } from "react-i18next";
import type { AdminJob } from "@/api/admin-jobs";
import { Skeleton } from "@/components/skeleton";
import { ListTable } from "../list-table";
import { JobActions } from "./job-actions";
import { CreatedAt, File, Status, Type, User } from "./job-parts";

interface JobsProps {
  jobs: readonly AdminJob[] | undefined;
}

const WIDTHS = { id: "w-28", user: "w-[19%]", file: "", status: "w-34", type: "w-16", date: "w-32", actions: "w-66" } as const;
const SKELETONS = ["a", "b", "c", "d", "e", "f", "g", "h"];
const CELL = "px-2.5 py-(--row) align-middle first:pl-0 last:pr-0";

export function JobTable({ jobs }: JobsProps) {
  const { t } = useTranslation("admin-jobs");
  return (
    <ListTable label={t("title")} widths={WIDTHS} heading={(column) => t(`columns.${column}`)} padding="px-2.5" cell={CELL}>
      {jobs?.map((job) => (
        <Row key={job.job.my_job_id} {...job} />
      ))}
    </ListTable>
  );
}

function Row(item: AdminJob) {
  const { job, owner } = item;
  return (
    <tr className="border-b border-rule hover:bg-paper-sunk/60">
      <td className={`${CELL} figures text-xs wrap-anywhere text-ink-soft select-all`}>{job.my_job_id}</td>
      <td className={`${CELL} wrap-anywhere`}>
        <User owner={owner} />
      </td>
      <td className={`${CELL} wrap-anywhere`}>
        <File one={item} />
      </td>
      <td className={CELL}>
        <Status job={job} />
      </td>
      <td className={`${CELL} text-ink-soft`}>
        <Type job={job} />
      </td>
      <td className={`${CELL} whitespace-nowrap text-ink-soft`}>
        <CreatedAt job={job} />
      </td>
      <td className={CELL}>
        <JobActions one={item} className="justify-end" />
      </td>
    </tr>
  );
}

export function JobCards({ jobs }: JobsProps) {
  const { t } = useTranslation("admin-jobs");
  return (
    <ul aria-label={t("title")} aria-busy={!jobs} className="border-t-2 border-ink">
      {jobs
        ? jobs.map((job) => <Card key={job.job.my_job_id} {...job} />)
        : SKELETONS.map((key) => (
            <li key={key} className="border-b border-rule py-3">
              <Skeleton className="h-5 w-3/5" />
              <Skeleton className="mt-2 h-4 w-2/5" />
              <Skeleton className="mt-3 h-8 w-48" />
            </li>
          ))}
    </ul>
  );
}

function Card(item: AdminJob) {
  const { job, owner } = item;
  return (
    <li className="flex flex-col gap-1.5 border-b border-rule py-3 wrap-anywhere">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <p className="min-w-0 font-strong">
          <File one={item} />
        </p>
        <div>
          <Status job={job} />
        </div>
      </div>
      <div className="text-sm">
        <User owner={owner} />
      </div>
      <p className="text-sm text-ink-soft">
        <Type job={job} />
        {" · "}
        <CreatedAt job={job} />
      </p>
      <p className="figures text-xs text-ink-faint">{job.my_job_id}</p>
      <JobActions one={item} />
    </li>
  );
}
