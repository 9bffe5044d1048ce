/** The place in the recording, over a drawing of where speech is. Follows the player without React renders. */
import { type KeyboardEvent, useEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { formatClock } from "@/lib/format";
import type { Segment } from "./model";
import { type PlayerStore, selectDuration } from "./player-store";
import { blurAfterDrag } from "./pointer-focus";
import { speechMap } from "./speech-map";

const BARS = 160;
/** Silence is a thin line, not nothing: the recording goes on there. */
const SILENCE = 0.06;

interface SeekBarProps {
  player: PlayerStore;
  segments: readonly Segment[];
}

export function SeekBar({ player, segments }: SeekBarProps) {
  const { t } = useTranslation("transcript");
  const duration = useStore(player, selectDuration);
  const bar = useRef<HTMLInputElement>(null);
  const played = useRef<HTMLDivElement>(null);
  const clock = useRef<HTMLSpanElement>(null);

  useEffect(() => {
    let shown = "";
    const show = () => {
      const { time } = player.getState();
      if (bar.current && document.activeElement !== bar.current) {
        bar.current.value = String(time);
      }
      played.current?.style.setProperty("--played", `${duration > 0 ? (time / duration) * 100 : 0}%`);
      const text = formatClock(time);
      if (text !== shown) {
        shown = text;
        if (clock.current) {
          clock.current.textContent = text;
        }
        bar.current?.setAttribute("aria-valuetext", t("player.position", { time: text, duration: formatClock(duration) }));
        if (bar.current) {
          bar.current.value = String(time);
        }
      }
    };
    show();
    return player.subscribe(show);
  }, [player, duration, t]);

  // Left and right are keys of the whole page; up and down would move by the fine step that the pointer has.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      event.preventDefault();
      player.getState().skip(event.key === "ArrowUp" ? 5 : -5);
    }
  };

  return (
    <div className="flex min-w-0 grow items-center gap-3">
      <span ref={clock} className="figures w-12 text-right text-sm text-ink sm:w-14" data-testid="player-clock">
        0:00
      </span>
      <div className="relative h-9 min-w-0 grow">
        <SpeechBars segments={segments} duration={duration} className="text-rule-strong" />
        <div ref={played} className="seek-played absolute inset-0">
          <SpeechBars segments={segments} duration={duration} className="text-voice" />
        </div>
        <input
          ref={bar}
          type="range"
          className="seek-bar"
          min={0}
          max={duration}
          step={0.1}
          defaultValue={0}
          disabled={duration <= 0}
          aria-label={t("player.seek")}
          onPointerDown={blurAfterDrag}
          onKeyDown={onKeyDown}
          onChange={(event) => player.getState().seek(event.currentTarget.valueAsNumber)}
        />
      </div>
      <span className="figures w-12 text-sm text-ink-faint sm:w-14">{formatClock(duration)}</span>
    </div>
  );
}

interface SpeechBarsProps extends Pick<SeekBarProps, "segments"> {
  duration: number;
  className: string;
}

function SpeechBars({ segments, duration, className }: SpeechBarsProps) {
  const path = useMemo(
    () =>
      speechMap(segments, duration, BARS)
        .map((share, at) => {
          const height = Math.max(SILENCE, Math.sqrt(share) * 0.9) * 100;
          return `M${at + 0.15} ${50 - height / 2}h.7v${height}h-.7z`;
        })
        .join(""),
    [segments, duration],
  );
  return (
    <svg
      viewBox={`0 0 ${BARS} 100`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className={`absolute inset-0 size-full ${className}`}
    >
      <path d={path} fill="currentColor" />
    </svg>
  );
}
