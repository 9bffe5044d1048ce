/** The player's buttons. A button clicked by mouse returns the focus, so that the keyboard shortcuts keep working. */
import { Pause, Play, Repeat } from "lucide-react";
import { type MouseEvent, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { IconButton } from "@/components/icon-button";
import { Tooltip } from "@/components/tooltip";
import { useLocale } from "@/hooks/use-locale";
import { cx } from "@/lib/class-names";
import { formatClock, formatNumber } from "@/lib/format";
import type { Span } from "./player-loop";
import { PlayerMore } from "./player-more";
import { type PlayerStore, RATES, selectBuffering, selectLoop, selectPlaying, selectRate } from "./player-store";
import { blurAfterPick, releaseFocus } from "./pointer-focus";
import { SkipIcon } from "./skip-icon";

interface PlayerControlsProps {
  player: PlayerStore;
  disabled: boolean;
  selectedSpan: () => Span | null;
  onHelp: (() => void) | undefined;
}

export function PlayerControls({ player, disabled, selectedSpan, onHelp }: PlayerControlsProps) {
  const { t } = useTranslation("player");
  const { skip } = player.getState();
  const skipBy = (seconds: number) => (event: MouseEvent<HTMLElement>) => {
    releaseFocus(event);
    skip(seconds);
  };
  return (
    <>
      <IconButton label={t("back10")} shortcut="⇧ ←" onClick={skipBy(-10)}>
        <SkipIcon seconds={-10} />
      </IconButton>
      <IconButton label={t("back5")} shortcut="←" onClick={skipBy(-5)}>
        <SkipIcon seconds={-5} />
      </IconButton>
      <PlayButton player={player} disabled={disabled} />
      <IconButton label={t("forward5")} shortcut="→" onClick={skipBy(5)}>
        <SkipIcon seconds={5} />
      </IconButton>
      <IconButton label={t("forward10")} shortcut="⇧ →" onClick={skipBy(10)}>
        <SkipIcon seconds={10} />
      </IconButton>
      <RateChoice player={player} />
      <LoopButton player={player} selectedSpan={selectedSpan} />
      <PlayerMore onHelp={onHelp} />
    </>
  );
}

function PlayButton({ player, disabled }: Pick<PlayerControlsProps, "player" | "disabled">) {
  const { t } = useTranslation("player");
  const playing = useStore(player, selectPlaying);
  const buffering = useStore(player, selectBuffering);
  const label = playing ? t("pause") : t("play");
  return (
    <Tooltip text={label} shortcut={t("space")} side="top">
      <button
        type="button"
        data-tour="play"
        aria-label={label}
        aria-busy={buffering || undefined}
        disabled={disabled}
        onClick={player.getState().toggle}
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
  );
}

function RateChoice({ player }: Pick<PlayerControlsProps, "player">) {
  const { t } = useTranslation("player");
  const locale = useLocale();
  const rate = useStore(player, selectRate);
  const pick = useMemo(() => blurAfterPick((value) => player.getState().setRate(Number(value))), [player]);
  return (
    <Tooltip text={t("rate")} shortcut="< >" side="top">
      <select
        aria-label={t("rate")}
        value={rate}
        {...pick}
        className="figures h-(--control) w-18 min-w-0 rounded border border-transparent bg-transparent px-0.5 text-sm text-ink-soft hover:border-edge hover:text-ink sm:px-1"
      >
        {RATES.map((value) => (
          <option key={value} value={value}>
            {t("rateValue", { rate: formatNumber(value, locale, 2) })}
          </option>
        ))}
      </select>
    </Tooltip>
  );
}

function LoopButton({ player, selectedSpan }: Pick<PlayerControlsProps, "player" | "selectedSpan">) {
  const { t } = useTranslation("player");
  const { span, marked } = useStore(player, selectLoop);
  const label = span ? t("loop.end") : marked ? t("loop.to") : t("loop.start");
  const state = span
    ? t("loop.on", { from: formatClock(span.from), to: formatClock(span.to) })
    : marked && t(marked.end === "from" ? "loop.marked" : "loop.markedEnd", { from: formatClock(marked.at) });
  return (
    <>
      <IconButton
        label={label}
        shortcut="R"
        aria-pressed={span !== null}
        // The selection is kept: the click acts on it.
        onMouseDown={(event) => event.preventDefault()}
        onClick={(event) => {
          releaseFocus(event);
          const { loop, cycleLoop, endLoop } = player.getState();
          if (loop.span) {
            endLoop();
          } else {
            cycleLoop(selectedSpan());
          }
        }}
        className={cx(span && "bg-voice-wash text-voice-ink", marked && "text-voice-ink")}
      >
        <Repeat aria-hidden="true" />
      </IconButton>
      <span className="sr-only" aria-live="polite">
        {state}
      </span>
    </>
  );
}
