/** Progress of an upload: state, bytes sent, speed and remaining time. */
import { CircleAlert, CircleCheck, Hourglass, WifiOff } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useLocale } from "@/hooks/use-locale";
import { formatBytes, formatPercent, formatSpan } from "@/lib/format";
import type { FileItem } from "../tray-model";
import type { UploadState } from "../upload-model";
import { useUploadFailureText } from "../use-failure-text";

/** 0 to 100. */
export const percentOf = ({ file, sent }: UploadState): number => (file && file.size > 0 ? (sent / file.size) * 100 : 0);

export function TransferLine({ item: { state } }: { item: FileItem }) {
  const { t } = useTranslation("upload");
  const locale = useLocale();
  const { phase, file, sent } = state;
  const under = phase === "uploading" || phase === "waiting" || phase === "paused";
  return (
    <p className="flex flex-wrap gap-x-3 text-sm text-ink-soft">
      <Phase state={state} />
      {under && (
        <>
          <span className="figures text-ink" data-testid="upload-percent">
            {formatPercent(percentOf(state), locale)}
          </span>
          {/* On a phone the line stays one line, so that nothing below moves when the file is uploaded. */}
          <span className="figures hidden sm:inline">
            {t("transfer.sent", { sent: formatBytes(sent, locale), total: formatBytes(file?.size ?? 0, locale) })}
          </span>
          <Rate state={state} />
        </>
      )}
    </p>
  );
}

function Phase({ state: { phase, failure } }: { state: UploadState }) {
  const { t } = useTranslation("upload");
  const failureText = useUploadFailureText();
  switch (phase) {
    case "next":
      return (
        <span className="flex items-center gap-1.5">
          <Hourglass aria-hidden="true" className="size-4" />
          {t("transfer.next")}
        </span>
      );
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
    case "failed":
      return (
        <span role="alert" className="flex gap-1.5 text-bad">
          <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          <span>
            {t("errors.upload")}. {failure && failureText(failure)}
          </span>
        </span>
      );
    case "empty":
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
      <span className="figures hidden sm:inline">{t("transfer.speed", { speed: formatBytes(rate.bytesPerSecond, locale) })}</span>
      <span>{t("transfer.left", { time: formatSpan(rate.secondsLeft, locale) })}</span>
    </>
  );
}
