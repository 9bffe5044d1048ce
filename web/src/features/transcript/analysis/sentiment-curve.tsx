/**
 * The sentiment curve. Its points are buttons over the drawing that form one tab stop; arrow keys move from point
 * to point. Shapes (up, level, down) repeat what the colours say.
 */
import { type KeyboardEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { releaseFocus } from "@/domain/transcript/pointer-focus";
import { useLocale } from "@/hooks/use-locale";
import { cx } from "@/lib/class-names";
import { formatClock } from "@/lib/format";
import type { CurvePoint } from "./curve";
import { formatScore, MOOD_TEXT } from "./sentiment-words";

interface SentimentCurveProps {
  curve: readonly CurvePoint[];
  onPlay: (seconds: number) => void;
}

/** Of the drawing; its width is a hundred. */
const HEIGHT = 100;
/** Space above and below, so that no symbol is clipped. */
const EDGE = 8;

const yOf = (score: number) => EDGE + ((1 - score) / 2) * (HEIGHT - 2 * EDGE);
const xOf = (at: number, count: number) => ((at + 0.5) / count) * 100;

export function SentimentCurve({ curve, onPlay }: SentimentCurveProps) {
  const { t } = useTranslation("analysis");
  const locale = useLocale();
  const [reached, setReached] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const current = Math.min(reached, curve.length - 1);
  const move = (event: KeyboardEvent) => {
    const goal = goalOf(event.key, current, curve.length);
    if (goal === null) return;
    event.preventDefault();
    event.stopPropagation();
    list.current?.querySelectorAll("button")[goal]?.focus();
  };
  const line = curve.map(({ score }, at) => `${xOf(at, curve.length)},${yOf(score)}`).join(" ");
  const middle = yOf(0);
  return (
    <figure className="mt-3">
      <div className="relative h-36 rounded border border-rule bg-paper-raised">
        <svg aria-hidden="true" viewBox={`0 0 100 ${HEIGHT}`} preserveAspectRatio="none" className="absolute inset-0 size-full">
          <line
            x1="0"
            x2="100"
            y1={middle}
            y2={middle}
            stroke="var(--rule-strong)"
            strokeDasharray="3 3"
            vectorEffect="non-scaling-stroke"
          />
          <polyline
            points={line}
            fill="none"
            stroke="var(--ink-faint)"
            strokeWidth="1.5"
            strokeLinejoin="round"
            vectorEffect="non-scaling-stroke"
          />
        </svg>
        <ul ref={list} aria-label={t("sentiment.curve")} className="absolute inset-0 flex" onKeyDown={move}>
          {curve.map((point, at) => (
            <li key={point.start} className="min-w-0 flex-1">
              <button
                type="button"
                tabIndex={at === current ? 0 : -1}
                aria-label={t("sentiment.point", {
                  time: formatClock(point.start),
                  mood: t(`sentiment.mood.${point.mood}`),
                  score: formatScore(point.score, locale),
                })}
                title={`${formatClock(point.start)} · ${formatScore(point.score, locale)}`}
                onFocus={() => setReached(at)}
                onClick={(event) => {
                  releaseFocus(event);
                  onPlay(point.start);
                }}
                className={cx("group relative block size-full hover:bg-ink/5", MOOD_TEXT[point.mood])}
              >
                <span
                  aria-hidden="true"
                  className="absolute left-1/2 flex -translate-1/2 items-center justify-center"
                  style={{ top: `${(yOf(point.score) / HEIGHT) * 100}%` }}
                >
                  <Sign mood={point.mood} />
                </span>
              </button>
            </li>
          ))}
        </ul>
      </div>
      <figcaption className="mt-1 flex justify-between gap-4 text-xs text-ink-faint">
        <span className="figures">{formatClock(curve[0]?.start ?? 0)}</span>
        <span className="text-center">{t("sentiment.keys")}</span>
        <span className="figures">{formatClock(curve.at(-1)?.end ?? 0)}</span>
      </figcaption>
    </figure>
  );
}

function Sign({ mood }: Pick<CurvePoint, "mood">) {
  return (
    <svg
      viewBox="0 0 10 10"
      aria-hidden="true"
      className="size-2.5 transition-transform group-hover:scale-150 group-focus-visible:scale-150"
    >
      {mood === "positive" && <path d="M5 1 9.5 9h-9z" fill="currentColor" />}
      {mood === "neutral" && <circle cx="5" cy="5" r="3.5" fill="currentColor" />}
      {mood === "negative" && <path d="M5 9 .5 1h9z" fill="currentColor" />}
    </svg>
  );
}

/** The point that a key moves to; null for other keys. */
function goalOf(key: string, at: number, count: number): number | null {
  switch (key) {
    case "ArrowRight":
      return Math.min(count - 1, at + 1);
    case "ArrowLeft":
      return Math.max(0, at - 1);
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}
