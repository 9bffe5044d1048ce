/** The file on its way: name, size, length, how far it is, how fast, and what can be done. */
import { CircleCheck, Pause, Play, WifiOff, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { IconButton } from "@/components/icon-button";
import { VoiceProgress } from "@/components/voice-progress";
import { useLocale } from "@/hooks/use-locale";
import { formatBytes, formatClock, formatPercent, formatSpan } from "@/lib/format";
import type { UploadState, UploadStore } from "./upload-store";

interface TransferStripProps {
  store: UploadStore;
  onCancel: () => void;
}

export function TransferStrip({ store, onCancel }: TransferStripProps) {
  const { t } = useTranslation("upload");
  const locale = useLocale();
  const state = useStore(store);
  const { phase, file, sent } = state;
  if (!file) {
    return null;
  }
  const percent = file.size > 0 ? (sent / file.size) * 100 : 0;
  const moving = phase === "uploading" || phase === "waiting";
  const duration = state.upload?.media?.duration;
  return (
    <section aria-label={t("transfer.label")} className="rounded-lg border border-rule bg-paper-raised px-4 py-3">
      <div className="flex items-center gap-3">
        <div className="min-w-0 grow">
          <p className="truncate font-strong" title={file.name}>
            {file.name}
          </p>
          <p className="flex flex-wrap gap-x-3 text-sm text-ink-soft">
            <PhaseText phase={phase} />
            {moving || phase === "paused" ? (
              <>
                <span className="figures text-ink" data-testid="upload-percent">
                  {formatPercent(percent, locale)}
                </span>
                <span className="figures">
                  {t("transfer.sent", { sent: formatBytes(sent, locale), total: formatBytes(file.size, locale) })}
                </span>
                <Rate state={state} />
              </>
            ) : (
              <span>{formatBytes(file.size, locale)}</span>
            )}
            {duration != null && <span>{t("transfer.duration", { duration: formatClock(duration) })}</span>}
          </p>
        </div>
        {moving && (
          <IconButton label={t("transfer.pause")} onClick={state.pause}>
            <Pause aria-hidden="true" />
          </IconButton>
        )}
        {phase === "paused" && (
          <IconButton label={t("transfer.resume")} onClick={state.resume}>
            <Play aria-hidden="true" />
          </IconButton>
        )}
        <IconButton label={t("transfer.cancel")} onClick={onCancel} className="-mr-2">
          <X aria-hidden="true" />
        </IconButton>
      </div>
      {phase !== "ready" && (
        <VoiceProgress className="mt-2" label={t("transfer.label")} percent={phase === "checking" ? null : percent} />
      )}
    </section>
  );
}

function PhaseText({ phase }: Pick<UploadState, "phase">) {
  const { t } = useTranslation("upload");
  switch (phase) {
    case "uploading":
      return <span>{t("transfer.uploading")}</span>;
    case "paused":
      return (
        <span role="status" className="text-warn">
          {t("transfer.paused")}
        </span>
      );
    case "waiting":
      return (
        <span role="status" className="flex items-center gap-1.5 text-warn">
          <WifiOff aria-hidden="true" className="size-4" />
          {t("transfer.waiting")}
        </span>
      );
    case "checking":
      return <span role="status">{t("transfer.checking")}</span>;
    case "ready":
      return (
        <span role="status" className="flex items-center gap-1.5 text-good">
          <CircleCheck aria-hidden="true" className="size-4" />
          {t("transfer.ready")}
        </span>
      );
    case "empty":
    case "failed":
      return null;
  }
}

function Rate({ state: { rate } }: { state: UploadState }) {
  const { t } = useTranslation("upload");
  const locale = useLocale();
  if (rate.bytesPerSecond === null || rate.secondsLeft === null) {
    return null;
  }
  return (
    <>
      <span className="figures">{t("transfer.speed", { speed: formatBytes(rate.bytesPerSecond, locale) })}</span>
      <span>{t("transfer.left", { time: formatSpan(rate.secondsLeft, locale) })}</span>
    </>
  );
}
