/** Actions on a job in its row. */
import { CircleStop, RotateCw, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Job } from "@/api";
import { canRunAgain, isRunning, useCancelJob, useRetryJob } from "@/api/jobs";
import { IconButton } from "@/components/icon-button";
import { useErrorText } from "@/hooks/use-error-text";
import { useUndoableDelete } from "@/hooks/use-undoable-delete";
import { cx } from "@/lib/class-names";
import { titleOf } from "@/lib/job-title";
import { toast } from "@/lib/toast";

export function JobActions({ job, className }: { job: Job; className?: string }) {
  const { t } = useTranslation(["transcripts", "common"]);
  const errorText = useErrorText();
  const cancel = useCancelJob();
  const retry = useRetryJob();
  const remove = useUndoableDelete();
  const onError = (error: unknown) => toast.error(t("action_failed", { reason: errorText(error) }));
  return (
    <fieldset className={cx("relative flex items-center justify-end", className)}>
      <legend className="sr-only">{t("actions_for", { name: titleOf(job) })}</legend>
      {isRunning(job) && (
        <IconButton
          label={t("common:actions.cancel")}
          busy={cancel.isPending}
          onClick={() => cancel.mutate(job.my_job_id, { onError })}
        >
          <CircleStop aria-hidden="true" strokeWidth={1.75} />
        </IconButton>
      )}
      {canRunAgain(job) && (
        <IconButton
          label={t("common:actions.retry")}
          busy={retry.isPending}
          onClick={() => retry.mutate(job.my_job_id, { onError })}
        >
          <RotateCw aria-hidden="true" strokeWidth={1.75} />
        </IconButton>
      )}
      <IconButton label={t("common:actions.delete")} onClick={() => remove(job)} className="hover:text-bad">
        <Trash2 aria-hidden="true" strokeWidth={1.75} />
      </IconButton>
    </fieldset>
  );
}
