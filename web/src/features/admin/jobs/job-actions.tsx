/** What an administrator does with anybody's job: opens it, stops it, runs it again. */
import { useTranslation } from "react-i18next";
import { type AnybodysJob, useCancelAnybodysJob, useRetryAnybodysJob } from "@/api/admin-jobs";
import { canRunAgain, isRunning } from "@/api/jobs";
import { Button, LinkButton } from "@/components/button";
import { useErrorText } from "@/hooks/use-error-text";
import { cx } from "@/lib/class-names";
import { toast } from "@/lib/toast";

export function JobActions({ job, className }: { job: AnybodysJob["job"]; className?: string }) {
  const { t } = useTranslation("admin-jobs");
  const errorText = useErrorText();
  const retry = useRetryAnybodysJob();
  const cancel = useCancelAnybodysJob();
  const { my_job_id: id } = job;
  const file = job.original_filename || t("no_name");
  const named = (action: string) => t("named", { action, file });
  return (
    <fieldset className={cx("flex flex-wrap items-center gap-2", className)}>
      <legend className="sr-only">{t("actions_for", { file })}</legend>
      {isRunning(job) && (
        <Button
          size="small"
          look="quiet"
          busy={cancel.isPending}
          aria-label={named(t("cancel"))}
          onClick={() =>
            cancel.mutate(id, {
              onSuccess: () => toast.success(t("cancelled")),
              onError: (error) => toast.error(`${t("cancel_failed")}. ${errorText(error)}`),
            })
          }
        >
          {t("cancel")}
        </Button>
      )}
      {canRunAgain(job) && (
        <Button
          size="small"
          look="quiet"
          busy={retry.isPending}
          aria-label={named(t("retry"))}
          onClick={() =>
            retry.mutate(id, {
              onSuccess: () => toast.success(t("retried")),
              onError: (error) => toast.error(`${t("retry_failed")}. ${errorText(error)}`),
            })
          }
        >
          {t("retry")}
        </Button>
      )}
      <LinkButton to={`/transcription/${id}`} size="small" label={named(t("open"))}>
        {t("open")}
      </LinkButton>
    </fieldset>
  );
}
