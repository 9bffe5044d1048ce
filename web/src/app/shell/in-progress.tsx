/** An upload or recording that continues while the reader is on other pages, with a link back to it. */
import { CircleDot, Pause, Upload, WifiOff } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import { useStore } from "zustand";
import { useLocale } from "@/hooks/use-locale";
import { formatClock, formatPercent } from "@/lib/format";
import { inProgress, type RecordingInProgress, type UploadsInProgress } from "@/lib/in-progress";
import { PATHS } from "../paths";

export function InProgress() {
  const { uploads, recording } = useStore(inProgress);
  const { pathname } = useLocation();
  if (pathname === PATHS.upload) return null;
  return (
    <>
      {recording && <Recording recording={recording} />}
      {uploads && <Uploads uploads={uploads} />}
    </>
  );
}

function Recording({ recording: { state, seconds } }: { recording: RecordingInProgress }) {
  const { t } = useTranslation("shell");
  const time = formatClock(seconds);
  return (
    <Way to={`${PATHS.upload}?source=voice`} label={t(`under_way.recording.${state}`, { time })}>
      {state === "paused" ? (
        <Pause aria-hidden="true" className="size-4 shrink-0 text-warn" />
      ) : (
        <CircleDot aria-hidden="true" className="size-4 shrink-0 text-voice-ink" />
      )}
      <span aria-hidden="true" className="figures text-sm">
        {time}
      </span>
    </Way>
  );
}

function Uploads({ uploads: { count, percent, state } }: { uploads: UploadsInProgress }) {
  const { t } = useTranslation("shell");
  const locale = useLocale();
  const percentText = formatPercent(percent, locale);
  const Sign = state === "waiting" ? WifiOff : state === "paused" ? Pause : Upload;
  return (
    <Way to={PATHS.upload} label={t(`under_way.uploads.${state}`, { count, percent: percentText })}>
      <Sign aria-hidden="true" className={state === "sending" ? "size-4 shrink-0 text-accent" : "size-4 shrink-0 text-warn"} />
      <span aria-hidden="true" className="figures text-sm">
        {percentText}
      </span>
      <span aria-hidden="true" className="absolute inset-x-0 bottom-0 h-[3px] overflow-hidden rounded-sm bg-rule">
        <span className="block h-full bg-accent" style={{ width: `${percent}%` }} />
      </span>
    </Way>
  );
}

function Way({ to, label, children }: { to: string; label: string; children: ReactNode }) {
  return (
    <Link
      to={to}
      aria-label={label}
      title={label}
      data-testid="in-progress"
      className="relative flex h-(--control) shrink-0 items-center gap-1.5 rounded px-2.5 hover:bg-paper-sunk"
    >
      {children}
    </Link>
  );
}
