/** A completed job whose text is missing: restores it from the stored results of its stages. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { RefreshCw, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { api, call, type Job } from "@/api";
import { jobKeys } from "@/api/jobs";
import { Button } from "@/components/button";
import { useErrorText } from "@/hooks/use-error-text";
import { toast } from "@/lib/toast";
import { useForeign } from "./foreign";

/** Whether the job should have a text and has none. */
export const isMissingText = (job: Job): boolean => job.status === "completed" && !job.has_output;

export function ResyncPanel({ job }: { job: Job }) {
  const { t } = useTranslation("transcript");
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const foreign = useForeign();
  const resync = useMutation({
    mutationFn: () => call(api.POST("/api/v1/jobs/{id}/resync", { params: { path: { id: job.my_job_id } } })),
    onSuccess: ({ success, message, error }) => {
      if (success) {
        toast.success(t(message === "queued" ? "resync.queued" : "resync.found"));
      } else {
        toast.error(t("resync.failed", { reason: t(error === "job_not_completed" ? "resync.notCompleted" : "resync.unknown") }));
      }
    },
    onError: (error) => toast.error(t("resync.failed", { reason: errorText(error) })),
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: jobKeys.all }),
        queryClient.invalidateQueries({ queryKey: ["transcript", job.my_job_id] }),
      ]),
  });
  return (
    <section role="alert" className="flex gap-4 rounded-lg border border-rule-strong bg-warn-wash p-5">
      <TriangleAlert aria-hidden="true" className="mt-1 size-6 shrink-0 text-warn" strokeWidth={1.75} />
      <div className="min-w-0">
        <h3 className="headline text-xl">{t("resync.title")}</h3>
        <p className="mt-1 max-w-[60ch] text-ink-soft">{t("resync.text")}</p>
        {!foreign && (
          <Button look="primary" className="mt-4" busy={resync.isPending} onClick={() => resync.mutate()}>
            <RefreshCw aria-hidden="true" />
            {t("resync.start")}
          </Button>
        )}
      </div>
    </section>
  );
}
