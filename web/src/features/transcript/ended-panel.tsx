/** A job without a text: what happened, and what can be done. */
import { CircleSlash, RotateCw, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Job } from "@/api";
import { useRetryJob } from "@/api/jobs";
import { Button, LinkButton } from "@/components/button";
import { useErrorText, useJobErrorText } from "@/hooks/use-error-text";
import { toast } from "@/lib/toast";
import { useForeign } from "./foreign";

export function EndedPanel({ job }: { job: Job }) {
  const { t } = useTranslation("transcript");
  const jobErrorText = useJobErrorText();
  const foreign = useForeign();
  const cancelled = job.status === "cancelled";
  const Sign = cancelled ? CircleSlash : TriangleAlert;

  return (
    <section
      role={cancelled ? "status" : "alert"}
      className={`flex gap-4 rounded-lg border bg-paper-raised p-5 ${cancelled ? "border-rule-strong" : "border-bad"}`}
    >
      <Sign
        aria-hidden="true"
        className={`mt-1 size-6 shrink-0 ${cancelled ? "text-ink-faint" : "text-bad"}`}
        strokeWidth={1.75}
      />
      <div className="min-w-0">
        <h3 className="headline text-xl">{title()}</h3>
        <p className="mt-1 max-w-[60ch] text-ink-soft">{body()}</p>
        {!foreign && (
          <div className="mt-4 flex flex-wrap gap-2">
            <RetryButton jobId={job.my_job_id} />
            <LinkButton to="/upload">{t("failed.other")}</LinkButton>
          </div>
        )}
      </div>
    </section>
  );

  function title(): string {
    if (cancelled) {
      return t("failed.cancelledTitle");
    }
    return job.status === "error" ? t("failed.errorTitle") : t("failed.title");
  }

  function body(): string {
    if (cancelled) {
      return t("failed.cancelledBody");
    }
    return job.error ? jobErrorText(job.error) : t("failed.unknown");
  }
}

export function RetryButton({ jobId }: { jobId: string }) {
  const { t } = useTranslation("transcript");
  const errorText = useErrorText();
  const retry = useRetryJob();
  const start = () =>
    retry.mutate(jobId, {
      onError: (error) => toast.error(`${t("failed.retryFailed")}. ${errorText(error)}`),
    });
  return (
    <Button look="primary" busy={retry.isPending} onClick={start}>
      <RotateCw aria-hidden="true" />
      {t("failed.retry")}
    </Button>
  );
}
