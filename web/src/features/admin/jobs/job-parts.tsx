/** Parts of a job shared by the table and the cards. */
import { EyeOff } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { AdminJob } from "@/api/admin-jobs";
import { isRunning } from "@/api/jobs";
import { JobStatus } from "@/components/job-status";
import { useJobErrorText } from "@/hooks/use-error-text";
import { useLocale } from "@/hooks/use-locale";
import { formatDateTime, formatFullDateTime, formatPercent } from "@/lib/format";
import { titleOf } from "@/lib/job-title";

export function User({ owner }: Pick<AdminJob, "owner">) {
  const { t } = useTranslation("admin-jobs");
  if (!owner) return <span className="text-ink-faint">{t("not_linked")}</span>;
  return (
    <>
      <span className="block">{owner.email}</span>
      {owner.fullname && <span className="block text-ink-soft">{owner.fullname}</span>}
    </>
  );
}

/** The job's name, marked if it is hidden from its owner. */
export function File({ one: { job, is_hidden } }: { one: AdminJob }) {
  const { t } = useTranslation("admin-jobs");
  return (
    <>
      {titleOf(job) || <span className="text-ink-faint">{t("no_name")}</span>}
      {is_hidden && (
        <span className="flex items-center gap-1 text-xs font-normal text-warn">
          <EyeOff aria-hidden="true" className="size-3.5 shrink-0" />
          {t("hidden")}
        </span>
      )}
    </>
  );
}

export function Status({ job }: Pick<AdminJob, "job">) {
  const locale = useLocale();
  const errorText = useJobErrorText();
  const { progress } = job;
  return (
    <>
      <JobStatus status={job.status} className="text-sm" />
      {isRunning(job) && progress && progress.percent > 0 && (
        <span className="figures block text-xs text-ink-soft">{formatPercent(progress.percent, locale)}</span>
      )}
      {job.error && <span className="block text-xs text-ink-soft">{errorText(job.error)}</span>}
    </>
  );
}

export function Type({ job }: Pick<AdminJob, "job">) {
  const { t } = useTranslation("admin-jobs");
  return t(job.transcription_type);
}

export function CreatedAt({ job }: Pick<AdminJob, "job">) {
  const locale = useLocale();
  return (
    <time dateTime={job.created_at} title={formatFullDateTime(job.created_at, locale)}>
      {formatDateTime(job.created_at, locale)}
    </time>
  );
}
