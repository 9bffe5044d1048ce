/** The player of the page, docked at its foot: under the thumb on a phone. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Pause, Play } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
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
import { type PlayerStore, RATES, selectBuffering, selectPlaying, selectRate, selectStatus } from "./player-store";
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
  const status = useStore(player, selectStatus);
  usePlayerKeys(player);
  return (
    <section
      aria-label={t("player.label")}
      className="sticky bottom-0 z-20 -mx-4 border-t border-rule-strong bg-paper-raised px-4 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))] shadow-sheet md:mx-0 md:rounded-t-lg md:border-x"
    >
      {children}
      <Media job={job} player={player} />
      {status === "failed" ? (
        <PlayerFailure jobId={job.my_job_id} />
      ) : (
        <div className="flex flex-col gap-1 lg:flex-row lg:items-center lg:gap-4">
          <div className="flex min-w-0 lg:order-2 lg:grow">
            <SeekBar player={player} segments={segments} />
          </div>
          <div className="flex items-center justify-center gap-1 lg:order-1">
            <SkipButtons player={player} />
          </div>
        </div>
      )}
    </section>
  );
}

function SkipButtons({ player }: { player: PlayerStore }) {
  const { t } = useTranslation("transcript");
  const playing = useStore(player, selectPlaying);
  const buffering = useStore(player, selectBuffering);
  const { toggle, skip } = player.getState();
  const playLabel = playing ? t("player.pause") : t("player.play");
  return (
    <>
      <IconButton label={t("player.back10")} shortcut="⇧ ←" onClick={() => skip(-10)}>
        <SkipSign seconds={-10} />
      </IconButton>
      <IconButton label={t("player.back5")} shortcut="←" onClick={() => skip(-5)}>
        <SkipSign seconds={-5} />
      </IconButton>
      <Tooltip text={playLabel} shortcut={t("player.space")} side="top">
        <button
          type="button"
          aria-label={playLabel}
          aria-busy={buffering || undefined}
          onClick={toggle}
          className={cx(
            "mx-1 inline-flex size-12 shrink-0 items-center justify-center rounded-full bg-accent text-on-accent transition-colors hover:bg-accent-strong",
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
      <IconButton label={t("player.forward5")} shortcut="→" onClick={() => skip(5)}>
        <SkipSign seconds={5} />
      </IconButton>
      <IconButton label={t("player.forward10")} shortcut="⇧ →" onClick={() => skip(10)}>
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
  return (
    <Tooltip text={t("player.rate")} shortcut="< >" side="top">
      <select
        aria-label={t("player.rate")}
        value={rate}
        onChange={(event) => player.getState().setRate(Number(event.currentTarget.value))}
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
  const url = link.data?.url;

  useEffect(() => (element.current ? player.getState().attach(element.current) : undefined), [player]);

  useEffect(() => {
    const media = element.current;
    if (!media || !url || media.currentSrc.endsWith(url)) {
      return;
    }
    // A new link (the old one ran out) takes over where the old one was.
    const { time, playing } = player.getState();
    media.src = url;
    if (time > 0) {
      media.currentTime = time;
    }
    if (playing) {
      player.getState().toggle();
    }
  }, [url, player]);

  if (job.has_video) {
    return (
      // biome-ignore lint/a11y/useMediaCaption: the transcript on the same page is the caption
      <video
        ref={element}
        preload="metadata"
        playsInline
        aria-label={t("player.video")}
        className="mx-auto mb-2 max-h-40 rounded bg-ink lg:absolute lg:right-0 lg:bottom-[calc(100%+1rem)] lg:mb-0 lg:max-h-none lg:w-[17rem] lg:shadow-sheet"
      />
    );
  }
  // biome-ignore lint/a11y/useMediaCaption: the transcript on the same page is the caption
  return <audio ref={element} preload="metadata" />;
}

function PlayerFailure({ jobId }: { jobId: string }) {
  const { t } = useTranslation("transcript");
  const queryClient = useQueryClient();
  return (
    <div role="alert" className="flex flex-wrap items-center justify-between gap-3 py-1">
      <p className="max-w-[60ch] text-sm text-ink-soft">{t("player.failed")}</p>
      <Button size="small" onClick={() => void queryClient.invalidateQueries(mediaLinkQuery(jobId))}>
        {t("player.failedRetry")}
      </Button>
    </div>
  );
}
