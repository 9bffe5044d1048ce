/** The progress of a running job: stage, percentage, time left, and a button to cancel it. */
import { Square, WifiOff } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { Job } from "@/api";
import { useCancelJob } from "@/api/jobs";
import { Button } from "@/components/button";
import { VoiceProgress } from "@/components/voice-progress";
import { useConnectionStatus } from "@/hooks/use-connection-status";
import { useErrorText } from "@/hooks/use-error-text";
import { useLanguageName } from "@/hooks/use-language-name";
import { useLocale } from "@/hooks/use-locale";
import { formatPercent, formatSpan } from "@/lib/format";
import { toast } from "@/lib/toast";
import { useForeign } from "./foreign";
import { type LiveStore, selectConnection, selectLanguage, selectProgress } from "./live-store";
import { StepList } from "./step-list";
import { stepsOf } from "./steps";

/** Below this time left, in seconds, the estimate would flicker. */
const NEAR_SECONDS = 3;

export function LivePanel({ job, live }: { job: Job; live: LiveStore }) {
  const { t } = useTranslation(["transcript", "common", "rules"]);
  const languageName = useLanguageName();
  const locale = useLocale();
  const errorText = useErrorText();
  const progress = useStore(live, selectProgress) ?? job.progress;
  const language = useStore(live, selectLanguage);
  const connection = useStore(live, selectConnection);
  const line = useConnectionStatus();
  const cancel = useCancelJob();
  const foreign = useForeign();
  const waitsForRoom = progress?.stage === "storage";
  const queued = !waitsForRoom && (job.status === "pending" || progress?.stage === "queued");
  const percent = progress?.percent ?? 0;
  const stage = queued ? t("live.queued") : t(`rules:stage.${progress?.stage ?? "probe"}`);
  const hint = waitsForRoom ? t("live.storageHint") : queued ? t("live.queuedHint") : t("live.canClose");

  const stop = () =>
    cancel.mutate(job.my_job_id, {
      onError: (error) => toast.error(`${t("live.cancelFailed")}. ${errorText(error)}`),
    });

  return (
    <section aria-label={t("live.label")} className="rounded-lg border border-rule-strong bg-paper-raised p-4 sm:p-5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h3 className="headline text-xl">{stage}</h3>
          <p className="mt-1 text-sm text-ink-soft">{hint}</p>
        </div>
        {!foreign && (
          <Button onClick={stop} busy={cancel.isPending}>
            <Square aria-hidden="true" fill="currentColor" />
            {cancel.isPending ? t("live.cancelling") : t("live.cancel")}
          </Button>
        )}
      </div>
      <StepList steps={stepsOf(job, queued ? "queued" : (progress?.stage ?? "probe"))} />
      {!queued && !waitsForRoom && (
        <div className="mt-4">
          <VoiceProgress percent={percent} label={stage} />
          <p className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-sm text-ink-soft">
            <span className="figures text-ink" data-testid="percent">
              {formatPercent(percent, locale)}
            </span>
            <span>{timeLeft(progress?.seconds_left ?? null)}</span>
            {language && <span>{t("card.languageFound", { language: languageName(language.code) })}</span>}
          </p>
        </div>
      )}
      {/* If the server is unavailable, the page's header says so. */}
      {connection === "waiting" && line === "up" && (
        <p role="status" className="mt-3 flex items-center gap-2 text-sm text-warn">
          <WifiOff aria-hidden="true" className="size-4" />
          {t("live.reconnecting")}
        </p>
      )}
    </section>
  );

  function timeLeft(seconds: number | null): string {
    if (seconds === null) {
      return t(progress?.stage === "transcribing" ? "live.leftFirst" : "live.leftUnknown");
    }
    return seconds < NEAR_SECONDS ? t("live.almost") : t("live.left", { time: formatSpan(seconds, locale) });
  }
}
