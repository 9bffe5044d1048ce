/** Administrators' actions on any job: open, cancel, run again, delete. */
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type AdminJob, useCancelAdminJob, useDeleteAdminJob, useRetryAdminJob } from "@/api/admin-jobs";
import { canRunAgain, isRunning } from "@/api/jobs";
import { Button, LinkButton } from "@/components/button";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { IconButton } from "@/components/icon-button";
import { useErrorText } from "@/hooks/use-error-text";
import { cx } from "@/lib/class-names";
import { titleOf } from "@/lib/job-title";
import { toast } from "@/lib/toast";

interface JobActionsProps {
  one: AdminJob;
  className?: string;
}

export function JobActions({ one, className }: JobActionsProps) {
  const { job } = one;
  const { t } = useTranslation("admin-jobs");
  const errorText = useErrorText();
  const retry = useRetryAdminJob();
  const cancel = useCancelAdminJob();
  const { my_job_id: id } = job;
  const file = titleOf(job) || t("no_name");
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
      <Delete one={one} file={file} named={named} />
    </fieldset>
  );
}

interface DeleteProps {
  one: AdminJob;
  file: string;
  named: (action: string) => string;
}

function Delete({ one: { job, owner }, file, named }: DeleteProps) {
  const { t } = useTranslation("admin-jobs");
  const errorText = useErrorText();
  const remove = useDeleteAdminJob();
  const [asking, setAsking] = useState(false);
  // The row unmounts before the mutation's own callbacks are called; a promise outlives it.
  const confirm = async () => {
    try {
      await remove.mutateAsync(job.my_job_id);
      toast.success(t("deleted"));
    } catch (error) {
      toast.error(`${t("delete_failed")}. ${errorText(error)}`);
    }
  };
  return (
    <>
      <IconButton
        label={named(t("delete"))}
        className="size-8 hover:text-bad pointer-coarse:size-11"
        onClick={() => setAsking(true)}
      >
        <Trash2 aria-hidden="true" />
      </IconButton>
      {asking && (
        <ConfirmDialog
          title={t("delete_question")}
          text={t("delete_text", { file, user: owner?.email ?? t("not_linked") })}
          confirm={t("delete")}
          onConfirm={confirm}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
