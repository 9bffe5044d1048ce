/** The level of the sound: the last seconds as bars, and decibels. Drawn without React renders. */
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocale } from "@/hooks/use-locale";
import { useMediaQuery } from "@/hooks/use-media-query";
import { cx } from "@/lib/class-names";
import { formatNumber } from "@/lib/format";
import { createLevelCheck, decibels, type LevelWarning, levelOf, QUIETEST_DB } from "./levels";
import { levels } from "./the-recording";

const BARS = 48;
/** Peaks per bar: ten bars per second. */
const PEAKS_A_BAR = 2;
/** Update interval of the number, in ms, to keep it readable. */
const FIGURE_MS = 250;
/** Minimum height of a bar, for silence. */
const LOWEST = 0.04;

export function LevelMeter({ live }: { live: boolean }) {
  const { t } = useTranslation("voice");
  const locale = useLocale();
  const still = useMediaQuery("(prefers-reduced-motion: reduce)");
  const bars = useRef<HTMLDivElement>(null);
  const meter = useRef<HTMLDivElement>(null);
  const figure = useRef<HTMLSpanElement>(null);
  const [hearing, setHearing] = useState<LevelWarning>(null);

  useEffect(() => {
    if (!live) {
      setHearing(null);
      return;
    }
    const ear = createLevelCheck(performance.now());
    const draw = still ? drawGauge(bars.current) : drawTrace(bars.current);
    let shownAt = Number.NEGATIVE_INFINITY;
    let loudest = 0;
    return levels.subscribe((peak) => {
      const now = performance.now();
      loudest = Math.max(loudest, peak);
      setHearing(ear.note(peak, now));
      if (!still) {
        draw(peak);
      }
      if (now - shownAt >= FIGURE_MS) {
        shownAt = now;
        const text = t("meter.value", { level: formatNumber(decibels(loudest), locale) });
        if (still) {
          draw(loudest);
        }
        if (figure.current) {
          figure.current.textContent = text;
        }
        meter.current?.setAttribute("aria-valuenow", String(Math.round(decibels(loudest))));
        meter.current?.setAttribute("aria-valuetext", text);
        loudest = 0;
      }
    });
  }, [live, still, locale, t]);

  return (
    <div className="flex w-full max-w-md flex-col items-center gap-2">
      {/* biome-ignore lint/a11y/useSemanticElements: the element of that name draws itself */}
      <div
        ref={meter}
        role="meter"
        aria-label={t("meter.label")}
        aria-valuemin={QUIETEST_DB}
        aria-valuemax={0}
        aria-valuenow={QUIETEST_DB}
        className="w-full"
      >
        <div ref={bars} className="flex h-16 w-full items-center justify-between">
          {Array.from({ length: BARS }, (_, i) => (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: places, not things
              key={i}
              className={cx("h-full w-1 rounded-full", live && !still ? "bg-voice" : "bg-rule-strong data-on:bg-voice")}
              style={{ transform: `scaleY(${LOWEST})` }}
            />
          ))}
        </div>
      </div>
      <p className="flex min-h-6 items-center text-sm text-ink-faint">
        {live && hearing === null && <span ref={figure} aria-hidden="true" className="figures" />}
        <span role="status" className="text-warn">
          {live && hearing !== null && t(`meter.${hearing}`)}
        </span>
      </p>
    </div>
  );
}

type Draw = (peak: number) => void;

/** The newest bar is on the right; the others move to the left. */
function drawTrace(box: HTMLElement | null): Draw {
  const bars = [...(box?.children ?? [])] as HTMLElement[];
  const trace = Array<number>(BARS).fill(LOWEST);
  let gathered: number[] = [];
  return (peak) => {
    gathered.push(peak);
    if (gathered.length < PEAKS_A_BAR) {
      return;
    }
    trace.shift();
    // Squared, because speech is near the top of a decibel scale and would look uniform.
    trace.push(Math.max(LOWEST, levelOf(Math.max(...gathered)) ** 2));
    gathered = [];
    bars.forEach((bar, i) => {
      bar.style.transform = `scaleY(${trace[i] ?? LOWEST})`;
    });
  };
}

/** For reduced motion: the number of bars of equal height shows the level. */
function drawGauge(box: HTMLElement | null): Draw {
  const bars = [...(box?.children ?? [])] as HTMLElement[];
  return (peak) => {
    const on = levelOf(peak) * BARS;
    bars.forEach((bar, i) => {
      bar.style.transform = "scaleY(0.5)";
      bar.toggleAttribute("data-on", i < on);
    });
  };
}
