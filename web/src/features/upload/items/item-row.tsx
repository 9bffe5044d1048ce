/** One recording of the tray: its name, its progress, and its actions. */
import type { TFunction } from "i18next";
import { CircleAlert, Pause, Play, X } from "lucide-react";
import { useEffect, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { FileFacts } from "@/components/file-facts";
import { IconButton } from "@/components/icon-button";
import { VoiceProgress } from "@/components/voice-progress";
import type { Choice } from "@/domain/settings/settings-draft";
import { useErrorText } from "@/hooks/use-error-text";
import { useLocale } from "@/hooks/use-locale";
import { cx } from "@/lib/class-names";
import { formatBytes, formatClock } from "@/lib/format";
import { useMediaFacts } from "@/lib/media-facts";
import { SourceMark } from "../source-mark";
import { durationOf, type FileItem, type TrayItem, tracksOf, type UrlItem, type VoiceItem } from "../tray-model";
import { uploadTray } from "../upload-tray";
import { SettingsMark } from "./settings-mark";
import { percentOf, TransferLine } from "./transfer-line";

interface ItemRowProps {
  item: TrayItem;
  /** The settings below are this recording's; null if all have the same. */
  choice: { chosen: boolean; onChoose: () => void; settings: Choice } | null;
  /** Shown here only if there are several recordings: otherwise the form shows it. */
  sayJobError: boolean;
  onDiscard: () => void;
}

export function ItemRow({ item, choice, sayJobError, onDiscard }: ItemRowProps) {
  return (
    <li
      className={cx(
        "relative px-4 py-2",
        choice && "pl-12",
        choice?.chosen && "bg-accent-wash before:absolute before:inset-y-0 before:left-0 before:w-1 before:bg-accent",
      )}
    >
      {choice && <Chooser name={item.name} chosen={choice.chosen} onChoose={choice.onChoose} />}
      <div className="flex items-center gap-3">
        <SourceMark of={markOf(item)} className="hidden text-ink-soft sm:block" />
        <div className="min-w-0 grow">
          {item.kind === "file" ? <File item={item} /> : <Facts item={item} />}
          {choice && <SettingsMark choice={choice.settings} own={item.own !== null} />}
          {sayJobError && <JobError item={item} />}
        </div>
        <Controls item={item} onDiscard={onDiscard} />
      </div>
    </li>
  );
}

/** At the left edge, as high as the row. */
function Chooser({ name, chosen, onChoose }: { name: string; chosen: boolean; onChoose: () => void }) {
  return (
    <label className="absolute inset-y-0 left-0 flex w-12 cursor-pointer items-center justify-center">
      <span className="sr-only">{name}</span>
      <input
        type="radio"
        name="configured-recording"
        checked={chosen}
        onChange={onChoose}
        className="size-4 shrink-0 accent-(--accent)"
      />
    </label>
  );
}

/** Details of the file, before and after the server has inspected it, and its progress. */
function File({ item }: { item: FileItem }) {
  const { key, state, track, readDuration } = item;
  const { t } = useTranslation("upload");
  const { facts, state: reading } = useMediaFacts(item.file, track);
  const tray = uploadTray.getState();
  useEffect(() => {
    if (facts.duration !== null && facts.duration !== readDuration) {
      uploadTray.getState().noteDuration(key, facts.duration);
    }
  }, [key, readDuration, facts.duration]);
  return (
    <>
      <FileFacts
        name={item.name}
        size={state.file?.size ?? null}
        duration={durationOf(item) ?? facts.duration}
        peaks={facts.peaks}
        tracks={tracksOf(item, facts.tracks)}
        state={reading}
        track={track}
        onTrack={state.submitting ? null : (chosen) => tray.setTrack(key, chosen)}
        progress={uploadProgress(item, t)}
      />
      <TransferLine item={item} />
    </>
  );
}

function Facts({ item }: { item: UrlItem | VoiceItem }) {
  const { t } = useTranslation("upload");
  const locale = useLocale();
  const duration = durationOf(item);
  const size = item.kind === "url" ? item.found.size : item.recording.size;
  return (
    <>
      <p className="truncate font-strong" title={item.name}>
        {item.name}
      </p>
      <p className="flex flex-wrap gap-x-3 text-sm text-ink-soft">
        <span>{item.kind === "url" ? t(`url.kind.${item.found.kind}`) : t(isFile(item) ? "uploaded_before" : "recorded")}</span>
        {size != null && <span className="figures">{formatBytes(size, locale)}</span>}
        {duration !== null && <span className="figures">{t("transfer.duration", { duration: formatClock(duration) })}</span>}
        {item.kind === "url" && <span className="max-w-full truncate text-ink-faint">{item.url}</span>}
      </p>
    </>
  );
}

function JobError({ item }: Pick<ItemRowProps, "item">) {
  const { t } = useTranslation("upload");
  const errorText = useErrorText();
  const { jobError } = item.state;
  return jobError === null ? null : (
    <p role="alert" className="flex gap-1.5 text-sm text-bad">
      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span>
        {t("errors.job")}. {errorText(jobError)}
      </span>
    </p>
  );
}

function Controls({ item, onDiscard }: Pick<ItemRowProps, "item" | "onDiscard">) {
  const { t } = useTranslation("upload");
  const { name, state } = item;
  const phase = "phase" in state ? state.phase : "ready";
  return (
    <div className="relative flex shrink-0">
      {item.kind === "file" && phase !== "ready" && phase !== "failed" && <PauseButton item={item} />}
      <IconButton
        label={item.kind === "file" && phase !== "failed" ? t("transfer.cancel") : t("remove", { name })}
        aria-description={name}
        disabled={state.submitting}
        onClick={onDiscard}
        className="-mr-2"
      >
        <X aria-hidden="true" />
      </IconButton>
    </div>
  );
}

/** One button for both, so that it keeps the focus; when it disappears, the button beside it gets the focus. */
function PauseButton({ item: { name, state } }: { item: FileItem }) {
  const { t } = useTranslation("upload");
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const element = button.current;
    return () => {
      if (element !== null && element === document.activeElement) {
        element.parentElement?.querySelector<HTMLElement>("button:last-of-type")?.focus({ preventScroll: true });
      }
    };
  }, []);
  const paused = state.phase === "paused";
  return (
    <IconButton
      ref={button}
      label={paused ? t("transfer.resume") : t("transfer.pause")}
      aria-description={name}
      busy={state.phase === "checking"}
      onClick={paused ? state.resume : state.pause}
    >
      {paused ? <Play aria-hidden="true" /> : <Pause aria-hidden="true" />}
    </IconButton>
  );
}

/** Null unless the file is on its way or being checked. */
function uploadProgress({ name, state }: FileItem, t: TFunction<"upload">) {
  const { phase } = state;
  const isVisible = phase === "uploading" || phase === "waiting" || phase === "paused" || phase === "checking";
  return isVisible ? (
    <VoiceProgress label={t("transfer.of", { name })} percent={phase === "checking" ? null : percentOf(state)} />
  ) : null;
}

function markOf(item: TrayItem) {
  switch (item.kind) {
    case "file":
      return "upload";
    case "url":
      return item.found.kind;
    case "voice":
      return isFile(item) ? "upload" : "voice";
  }
}

/** Uploaded earlier as a file, not recorded here. */
const isFile = ({ recording }: VoiceItem): boolean => recording.kind === "file";
