/** The position in the recording, over a drawing of its sound. Follows the player without React renders. */
import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { formatClock } from "@/lib/format";
import type { SpokenSegment } from "./model";
import { type PlayerStore, selectDuration, selectLoop } from "./player-store";
import { blurAfterDrag } from "./pointer-focus";
import { SoundBars, useSoundPath } from "./sound-bars";

/** A bar with the gap beside it, in px. */
const BAR_PX = 4;
const MIN_BARS = 60;
const MAX_BARS = 400;

interface SeekBarProps {
  player: PlayerStore;
  segments: readonly SpokenSegment[];
  peaks: readonly number[] | undefined;
}

export function SeekBar({ player, segments, peaks }: SeekBarProps) {
  const { t } = useTranslation("player");
  const duration = useStore(player, selectDuration);
  const track = useRef<HTMLDivElement>(null);
  const bar = useRef<HTMLInputElement>(null);
  const played = useRef<HTMLDivElement>(null);
  const clock = useRef<HTMLSpanElement>(null);
  const hint = useRef<HTMLDivElement>(null);
  const count = useBarCount(track);
  const path = useSoundPath({ segments, peaks, duration, count });
  const length = formatClock(duration);

  useEffect(() => {
    let lastText = "";
    const show = () => {
      const { time } = player.getState();
      if (bar.current && document.activeElement !== bar.current) {
        bar.current.value = String(time);
      }
      played.current?.style.setProperty("--played", `${duration > 0 ? (time / duration) * 100 : 0}%`);
      const text = formatClock(time);
      if (text !== lastText) {
        lastText = text;
        if (clock.current) {
          clock.current.textContent = text;
        }
        bar.current?.setAttribute("aria-valuetext", t("position", { time: text, duration: formatClock(duration) }));
        if (bar.current) {
          bar.current.value = String(time);
        }
      }
    };
    show();
    return player.subscribe(show);
  }, [player, duration, t]);

  // Left and right are shortcuts of the page; up and down would move by the fine step intended for the pointer.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      event.preventDefault();
      player.getState().skip(event.key === "ArrowUp" ? 5 : -5);
    }
  };

  return (
    <div className="flex min-w-0 grow items-center gap-3">
      <span
        ref={clock}
        className="figures text-right text-sm text-ink"
        style={{ minWidth: `${length.length}ch` }}
        data-testid="player-clock"
      >
        0:00
      </span>
      <div
        ref={track}
        className="relative h-9 min-w-0 grow"
        onPointerMove={(event) => showHint(event, hint.current, duration)}
        onPointerLeave={() => hint.current?.removeAttribute("data-shown")}
      >
        <LoopBand player={player} duration={duration} />
        <SoundBars path={path} count={count} className="text-rule-strong" />
        <div ref={played} className="seek-played pointer-events-none absolute inset-0">
          <SoundBars path={path} count={count} className="text-voice" />
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
          aria-label={t("seek")}
          onPointerDown={blurAfterDrag}
          onKeyDown={onKeyDown}
          onChange={(event) => player.getState().seek(event.currentTarget.valueAsNumber)}
        />
        <div ref={hint} aria-hidden="true" className="seek-hint figures" data-testid="seek-hint" />
      </div>
      <span className="figures text-sm text-ink-faint">{length}</span>
    </div>
  );
}

/** As many bars as fit. */
function useBarCount(track: RefObject<HTMLElement | null>): number {
  const [count, setCount] = useState(0);
  useLayoutEffect(() => {
    const element = track.current;
    if (!element) {
      return;
    }
    const measure = () => {
      const room = Math.round(element.clientWidth / BAR_PX);
      setCount(Math.min(MAX_BARS, Math.max(MIN_BARS, room)));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [track]);
  return count;
}

/** The time under the pointer; touch users see the clock instead, as the finger covers it. */
function showHint(event: PointerEvent<HTMLElement>, hint: HTMLElement | null, duration: number): void {
  if (!hint || event.pointerType === "touch" || duration <= 0) {
    return;
  }
  const { left, width } = event.currentTarget.getBoundingClientRect();
  const share = Math.min(1, Math.max(0, (event.clientX - left) / width));
  hint.textContent = formatClock(share * duration);
  hint.style.setProperty("--at", `${share * 100}%`);
  hint.dataset.shown = "";
}

/** The loop, from A to B; a single mark until its other end is set. */
function LoopBand({ player, duration }: { player: PlayerStore; duration: number }) {
  const { span, marked } = useStore(player, selectLoop);
  if (duration <= 0 || (!span && !marked)) {
    return null;
  }
  const at = (seconds: number) => `${(Math.min(seconds, duration) / duration) * 100}%`;
  const ends = span
    ? ([
        ["A", span.from],
        ["B", span.to],
      ] as const)
    : ([[marked?.end === "to" ? "B" : "A", marked?.at ?? 0]] as const);
  return (
    <div aria-hidden="true" data-testid="loop-band" className="pointer-events-none absolute inset-0">
      {span && (
        <div
          className="absolute -inset-y-1 rounded-sm bg-voice-wash"
          style={{ left: at(span.from), width: `calc(${at(span.to)} - ${at(span.from)})` }}
        />
      )}
      {ends.map(([name, seconds]) => (
        <div key={name} className="absolute -inset-y-1 w-px bg-voice-ink" style={{ left: at(seconds) }}>
          <span
            className={`figures absolute -top-2.5 text-[0.625rem] leading-none text-voice-ink ${name === "A" ? "left-0.5" : "right-0.5"}`}
          >
            {name}
          </span>
        </div>
      ))}
    </div>
  );
}
