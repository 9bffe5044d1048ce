/** Actions on the selected rows, at the bottom of the window. */
import { Download, RotateCw, Trash2, X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Job } from "@/api";
import { canRunAgain, useRetryJobs } from "@/api/jobs";
import { Button } from "@/components/button";
import { IconButton } from "@/components/icon-button";
import { ExportDialog } from "@/domain/export";
import { useErrorText } from "@/hooks/use-error-text";
import { useUndoableDelete } from "@/hooks/use-undoable-delete";
import { toast } from "@/lib/toast";
import { MAX_JOBS_AT_ONCE } from "@/rules/constants";
import { GroupsSheet } from "./groups/groups-sheet";
import { SortMenus } from "./groups/sort-menus";

interface BulkBarProps {
  /** The selected jobs. */
  jobs: readonly Job[];
  onClear: () => void;
}

export function BulkBar({ jobs, onClear }: BulkBarProps) {
  const { t } = useTranslation(["transcripts", "common"]);
  const errorText = useErrorText();
  const remove = useUndoableDelete();
  const retry = useRetryJobs();
  const [managing, setManaging] = useState(false);
  const [exporting, setExporting] = useState<readonly string[] | null>(null);
  const readable = jobs.filter((job) => job.has_output).map((job) => job.my_job_id);
  const failed = jobs.filter((job) => canRunAgain(job) && job.status !== "completed").map((job) => job.my_job_id);

  const retryFailed = () =>
    retry.mutate(failed, {
      onSuccess: (refused) => refused > 0 && toast.error(t("bulk.refused", { count: refused })),
      onError: (error) => toast.error(t("action_failed", { reason: errorText(error) })),
    });
  const take = () => {
    if (readable.length > MAX_JOBS_AT_ONCE) toast.error(t("bulk.too_many", { most: MAX_JOBS_AT_ONCE }));
    else setExporting(readable);
  };

  return (
    <>
      <div className="pointer-events-none sticky bottom-0 z-20 -mx-4 mt-auto px-4 pb-[max(1rem,env(safe-area-inset-bottom))] md:mx-0 md:px-0">
        <section
          aria-label={t("bulk.label")}
          className="pointer-events-auto mx-auto flex w-fit max-w-full animate-rise items-center rounded-lg border border-rule-strong bg-paper-raised py-1.5 pr-1.5 pl-3 shadow-sheet sm:gap-x-2 sm:pl-4"
        >
          <p className="min-w-0 truncate text-[0.9375rem] sm:mr-2" aria-live="polite">
            {t("bulk.chosen", { count: jobs.length })}
          </p>
          <Button look="quiet" className="max-sm:px-3" disabled={readable.length === 0} onClick={take}>
            <Download aria-hidden="true" />
            <span className="max-sm:sr-only">{t("bulk.export")}</span>
          </Button>
          <SortMenus jobs={jobs} onManage={() => setManaging(true)} />
          {failed.length > 0 && (
            <Button look="quiet" className="max-sm:px-3" busy={retry.isPending} onClick={retryFailed}>
              <RotateCw aria-hidden="true" />
              <span className="max-sm:sr-only">{t("bulk.retry", { count: failed.length })}</span>
            </Button>
          )}
          <Button
            look="quiet"
            className="hover:text-bad max-sm:px-3"
            onClick={() => {
              remove(...jobs);
              onClear();
            }}
          >
            <Trash2 aria-hidden="true" />
            <span className="max-sm:sr-only">{t("common:actions.delete")}</span>
          </Button>
          <IconButton label={t("bulk.clear")} shortcut="Esc" onClick={onClear}>
            <X aria-hidden="true" />
          </IconButton>
        </section>
      </div>
      {managing && <GroupsSheet onClose={() => setManaging(false)} />}
      {exporting && <ExportDialog jobs={exporting} name={t("table")} onClose={() => setExporting(null)} />}
    </>
  );
}
