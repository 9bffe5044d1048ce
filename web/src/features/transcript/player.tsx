/** The player of the page, docked at its foot: under the thumb on a phone. */
import { useQuery } from "@tanstack/react-query";
import { Pause, Play } from "lucide-react";
import { type MouseEvent, type ReactNode, useEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { Job } from "@/api";
import { Button } from "@/components/button";
import { IconButton } from "@/components/icon-button";
import { Tooltip } from "@/components/tooltip";
import { useLocale } from "@/hooks/use-locale";
import { cx } from "@/lib/class-names";
import { formatNumber } from "@/lib/format";
import { mediaLinkQuery } from "./api";
import type { Segment } from "./model";
import { PLAYER_ATTRIBUTE } from "./page-scroll";
import {
  type PlayerFailure as Failure,
  type PlayerStore,
  RATES,
  selectBuffering,
  selectFailure,
  selectPlaying,
  selectRate,
} from "./player-store";
import { blurAfterPick, letGo } from "./pointer-focus";
import { SeekBar } from "./seek-bar";
import { SkipSign } from "./skip-sign";
import { usePlayerKeys } from "./use-player-keys";

interface PlayerProps {
  job: Job;
  segments: readonly Segment[];
  player: PlayerStore;
  /** Floats over the dock. */
  children?: ReactNode;
}

export function Player({ job, segments, player, children }: PlayerProps) {
  const { t } = useTranslation("transcript");
  const failure = useStore(player, selectFailure);
  usePlayerKeys(player);
  return (
    <section
      {...{ [PLAYER_ATTRIBUTE]: "" }}
      aria-label={t("player.label")}
      className="sticky bottom-0 z-20 -mx-4 border-t border-rule-strong bg-paper-raised px-4 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))] shadow-sheet md:mx-0 md:rounded-t-lg md:border-x"
    >
      {children}
      <Media job={job} player={player} />
      {failure && <PlayerFailure failure={failure} onRetry={player.getState().retry} />}
      {failure !== "format" && (
        <div className="flex flex-col gap-1 sm:[@media(max-height:499px)]:flex-row sm:[@media(max-height:499px)]:items-center lg:flex-row lg:items-center lg:gap-4">
          <div className="flex min-w-0 sm:[@media(max-height:499px)]:order-2 sm:[@media(max-height:499px)]:grow lg:order-2 lg:grow">
            <SeekBar player={player} segments={segments} />
          </div>
          <div className="flex items-center justify-center gap-1 sm:[@media(max-height:499px)]:order-1 lg:order-1">
            <SkipButtons player={player} disabled={failure !== null} />
          </div>
        </div>
      )}
    </section>
  );
}

function SkipButtons({ player, disabled }: { player: PlayerStore; disabled: boolean }) {
  const { t } = useTranslation("transcript");
  const playing = useStore(player, selectPlaying);
  const buffering = useStore(player, selectBuffering);
  const { toggle, skip } = player.getState();
  const skipBy = (seconds: number) => (event: MouseEvent<HTMLElement>) => {
    letGo(event);
    skip(seconds);
  };
  const playLabel = playing ? t("player.pause") : t("player.play");
  return (
    <>
      <IconButton label={t("player.back10")} shortcut="⇧ ←" onClick={skipBy(-10)}>
        <SkipSign seconds={-10} />
      </IconButton>
      <IconButton label={t("player.back5")} shortcut="←" onClick={skipBy(-5)}>
        <SkipSign seconds={-5} />
      </IconButton>
      <Tooltip text={playLabel} shortcut={t("player.space")} side="top">
        <button
          type="button"
          aria-label={playLabel}
          aria-busy={buffering || undefined}
          disabled={disabled}
          onClick={toggle}
          className={cx(
            "mx-1 inline-flex size-12 shrink-0 items-center justify-center rounded-full bg-accent text-on-accent transition-colors hover:bg-accent-strong disabled:opacity-55",
            buffering && "animate-pulse",
          )}
        >
          {playing ? (
            <Pause aria-hidden="true" className="size-5" fill="currentColor" strokeWidth={0} />
          ) : (
            <Play aria-hidden="true" className="ml-0.5 size-5" fill="currentColor" strokeWidth={0} />
          )}
        </button>
      </Tooltip>
      <IconButton label={t("player.forward5")} shortcut="→" onClick={skipBy(5)}>
        <SkipSign seconds={5} />
      </IconButton>
      <IconButton label={t("player.forward10")} shortcut="⇧ →" onClick={skipBy(10)}>
        <SkipSign seconds={10} />
      </IconButton>
      <RateChoice player={player} />
    </>
  );
}

function RateChoice({ player }: { player: PlayerStore }) {
  const { t } = useTranslation("transcript");
  const locale = useLocale();
  const rate = useStore(player, selectRate);
  const pick = useMemo(() => blurAfterPick((value) => player.getState().setRate(Number(value))), [player]);
  return (
    <Tooltip text={t("player.rate")} shortcut="< >" side="top">
      <select
        aria-label={t("player.rate")}
        value={rate}
        {...pick}
        className="figures h-(--control) rounded border border-transparent bg-transparent px-1 text-sm text-ink-soft hover:border-edge hover:text-ink"
      >
        {RATES.map((value) => (
          <option key={value} value={value}>
            {t("player.rateValue", { rate: formatNumber(value, locale, 2) })}
          </option>
        ))}
      </select>
    </Tooltip>
  );
}

/** The media element itself: a picture when the recording has one, unseen otherwise. */
function Media({ job, player }: Pick<PlayerProps, "job" | "player">) {
  const { t } = useTranslation("transcript");
  const element = useRef<HTMLVideoElement & HTMLAudioElement>(null);
  const link = useQuery(mediaLinkQuery(job.my_job_id));
  const { refetch } = link;
  const url = link.data?.url;

  useEffect(
    () => (element.current ? player.getState().attach(element.current, () => void refetch()) : undefined),
    [player, refetch],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: two links asked for within a second may be the same text
  useEffect(() => {
    if (url) {
      player.getState().load(url);
    }
  }, [url, link.dataUpdatedAt, player]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a second failure is told as the first one was
  useEffect(() => {
    if (link.isError) {
      player.getState().linkFailed();
    }
  }, [link.isError, link.errorUpdatedAt, player]);

  if (job.has_video) {
    return (
      // biome-ignore lint/a11y/useMediaCaption: the transcript on the same page is the caption
      <video
        ref={element}
        preload="metadata"
        playsInline
        aria-label={t("player.video")}
        // On a low window (a phone on its side) a small picture floats over the text: in the dock it would leave no text.
        className="mx-auto mb-2 max-h-40 rounded bg-ink object-contain max-lg:[@media(max-height:499px)]:absolute max-lg:[@media(max-height:499px)]:right-2 max-lg:[@media(max-height:499px)]:bottom-[calc(100%+0.5rem)] max-lg:[@media(max-height:499px)]:mb-0 max-lg:[@media(max-height:499px)]:max-h-20 max-lg:[@media(max-height:499px)]:shadow-sheet lg:absolute lg:right-0 lg:bottom-[calc(100%+1rem)] lg:mb-0 lg:max-h-[40vh] lg:w-[17rem] lg:shadow-sheet"
      />
    );
  }
  // biome-ignore lint/a11y/useMediaCaption: the transcript on the same page is the caption
  return <audio ref={element} preload="metadata" />;
}

function PlayerFailure({ failure, onRetry }: { failure: Failure; onRetry: () => void }) {
  const { t } = useTranslation("transcript");
  return (
    <div role="alert" className="flex flex-wrap items-center justify-between gap-3 py-1">
      <p className="max-w-[60ch] text-sm text-ink-soft">{t(failure === "format" ? "player.failed" : "player.unreachable")}</p>
      <Button size="small" onClick={onRetry}>
        {t("player.failedRetry")}
      </Button>
    </div>
  );
}
