/** Progress of a running job: drawing, stage, percentage, time left. */
import { useTranslation } from "react-i18next";
import type { Job } from "@/api";
import { useLocale } from "@/hooks/use-locale";
import { formatPercent, formatSpan } from "@/lib/format";
import { titleOf } from "@/lib/job-title";
import { VoiceProgress } from "./voice-progress";

export function JobProgress({ job }: { job: Job }) {
  const { t } = useTranslation(["common", "rules"]);
  const locale = useLocale();
  const stage = job.progress?.stage ?? "queued";
  const percent = stage === "queued" || stage === "storage" ? null : (job.progress?.percent ?? 0);
  const secondsLeft = job.progress?.seconds_left;
  return (
    <div className="flex flex-col gap-1">
      <VoiceProgress percent={percent} label={t("progress_of", { name: titleOf(job) })} />
      {stage === "storage" && <p className="text-sm text-warn">{t("rules:stage.storage")}</p>}
      {percent !== null && (
        <p className="flex flex-wrap gap-x-3 text-sm text-ink-soft">
          <span>{t(`rules:stage.${stage}`)}</span>
          <span className="figures">{formatPercent(percent, locale)}</span>
          {secondsLeft != null && <span>{t("time_left", { time: formatSpan(secondsLeft, locale) })}</span>}
        </p>
      )}
    </div>
  );
}
