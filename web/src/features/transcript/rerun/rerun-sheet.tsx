/** Recognises a recording again with other settings. The current text stays in the history. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError, api, call, type Job } from "@/api";
import { capabilitiesQuery } from "@/api/capabilities";
import { jobKeys } from "@/api/jobs";
import { subscriptionQuery } from "@/api/subscription";
import { Button } from "@/components/button";
import { FormAlert } from "@/components/form-alert";
import { Sheet } from "@/components/sheet";
import { type Settings, SettingsForm } from "@/domain/settings";
import { useErrorText } from "@/hooks/use-error-text";
import { titleOf } from "@/lib/job-title";
import { toast } from "@/lib/toast";
import { defaultSettings, validateOptions } from "@/rules";

interface RerunSheetProps {
  job: Job;
  /** Settings that differ from those of the job, to begin with. */
  initial?: Partial<Settings>;
  onClose: () => void;
  /** Saves pending edits, which belong to the current run. */
  flush: () => Promise<void>;
}

export function RerunSheet({ job, initial, onClose, flush }: RerunSheetProps) {
  const { t } = useTranslation(["history", "common"]);
  const errorText = useErrorText();
  const { data: capabilities } = useQuery(capabilitiesQuery());
  const { data: subscription } = useQuery(subscriptionQuery());
  const [settings, setSettings] = useState<Settings>(() => ({ ...(defaultSettings() as Settings), ...job.settings, ...initial }));
  const [refusals, setRefusals] = useState(0);
  const rerun = useRerun(job, flush);
  const broken = validateOptions(settings);
  const refused = rerun.error instanceof ApiError ? rerun.error.violations : [];
  const answered = refused.map((violation) => ({ ...violation, field: violation.field.replace(/^settings\./, "") }));

  const start = () => {
    setRefusals((before) => before + 1);
    if (broken.length > 0) return;
    rerun.mutate(settings, {
      onSuccess: () => {
        toast.success(t("history:rerun.started"));
        onClose();
      },
    });
  };

  const violations = refusals > 0 ? (broken.length > 0 ? broken : answered) : [];
  const trouble = rerun.error ? `${t("history:rerun.failed")}. ${errorText(rerun.error)}` : null;
  return (
    <Sheet
      wide
      title={t("history:rerun.title")}
      subject={titleOf(job)}
      onClose={onClose}
      footer={
        <>
          {violations.length > 0 && <p className="mr-auto text-sm text-bad">{t("history:rerun.refused")}</p>}
          <Button onClick={onClose}>{t("common:actions.cancel")}</Button>
          <Button look="primary" busy={rerun.isPending} onClick={start}>
            <RotateCw aria-hidden="true" />
            {t("history:rerun.start")}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        <p className="max-w-[65ch] text-ink-soft">{t("history:rerun.lead")}</p>
        {violations.length === 0 && <FormAlert text={trouble} />}
        <SettingsForm
          settings={settings}
          onChange={(next) => {
            rerun.reset();
            setSettings(next);
          }}
          violations={violations}
          refusals={refusals}
          capabilities={capabilities}
          planFeatures={subscription?.features}
          duration={job.duration ?? null}
        />
      </div>
    </Sheet>
  );
}

function useRerun(job: Job, flush: () => Promise<void>) {
  const queryClient = useQueryClient();
  const { my_job_id: id, audio_track } = job;
  return useMutation({
    mutationFn: async (settings: Settings) => {
      await flush();
      const body = { settings, ...(audio_track != null && { audio_track }) };
      return call(api.POST("/api/v1/jobs/{id}/rerun", { params: { path: { id } }, body }));
    },
    onSuccess: (fresh) => {
      // The page shows the running job from this response; lists refetch on their own.
      queryClient.setQueryData([...jobKeys.all, "one", id], fresh);
      return queryClient.invalidateQueries({ queryKey: jobKeys.all });
    },
  });
}
