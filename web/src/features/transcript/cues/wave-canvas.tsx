/** The waveform behind the blocks of subtitles: only the visible part is drawn, in the colours of the page. */
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useMediaQuery } from "@/hooks/use-media-query";
import { formatClock } from "@/lib/format";
import { columnsOf, ticksOf, type View, xOf } from "./geometry";

/** Width of a bar with the gap beside it, in px. */
const BAR_PX = 3;
const RULER_PX = 14;
/** Silence is drawn as a thin line. */
const SILENCE = 0.03;

interface WaveCanvasProps {
  view: View;
  height: number;
  duration: number;
  /** From 0 to 1; without them only the ruler is drawn. */
  peaks: readonly number[] | undefined;
}

export function WaveCanvas({ view, height, duration, peaks }: WaveCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const colours = useColours();
  // biome-ignore lint/correctness/useExhaustiveDependencies: other colours of the page are another drawing
  useLayoutEffect(() => {
    const element = canvas.current;
    const context = element?.getContext("2d");
    if (!element || !context || view.width <= 0) {
      return;
    }
    const ratio = window.devicePixelRatio || 1;
    element.width = Math.round(view.width * ratio);
    element.height = Math.round(height * ratio);
    context.scale(ratio, ratio);
    context.clearRect(0, 0, view.width, height);
    const style = getComputedStyle(element);
    const room = height - RULER_PX;
    context.fillStyle = style.getPropertyValue("--edge");
    columnsOf(peaks ?? [], view, duration, BAR_PX).forEach((share, at) => {
      const bar = Math.max(SILENCE, share) * room;
      context.fillRect(at * BAR_PX, RULER_PX + (room - bar) / 2, BAR_PX - 1, bar);
    });
    context.fillStyle = style.getPropertyValue("--ink-soft");
    context.font = `10px ${style.fontFamily}`;
    context.textBaseline = "top";
    for (const second of ticksOf(view, duration)) {
      const x = Math.round(xOf(view, second));
      context.fillRect(x, 0, 1, RULER_PX - 3);
      context.fillText(clockOf(second), x + 3, 1);
    }
  }, [view, height, duration, peaks, colours]);
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a canvas takes no focus
    <canvas
      ref={canvas}
      aria-hidden="true"
      data-testid="cue-wave"
      style={{ width: view.width, height }}
      className="figures pointer-events-none absolute inset-0"
    />
  );
}

const clockOf = (second: number) =>
  Number.isInteger(second) ? formatClock(second) : `${formatClock(second)}.${Math.round((second % 1) * 10)}`;

/** Changes whenever the page's colours may have changed. */
function useColours(): string {
  const forced = useMediaQuery("(forced-colors: active)");
  const dark = useMediaQuery("(prefers-color-scheme: dark)");
  const [theme, setTheme] = useState(() => document.documentElement.dataset.theme);
  useEffect(() => {
    const observer = new MutationObserver(() => setTheme(document.documentElement.dataset.theme));
    observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => observer.disconnect();
  }, []);
  return `${forced} ${dark} ${theme}`;
}
