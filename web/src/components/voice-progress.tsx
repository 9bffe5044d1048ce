/** Progress in the style of the logo: the finished part is drawn as text, the rest as voice. */
import { useId } from "react";
import { cx } from "@/lib/class-names";
import { voiceBars, wordDashes } from "@/lib/voice-drawing";

const TILE = 240;
const HEIGHT = 24;
const BAR_STEP = 5;
const LINE_Y = [4, 11, 18];

const BARS = voiceBars(TILE / BAR_STEP, 7);
const WORDS = wordDashes(LINE_Y.length, TILE - 4, 5, 0);

interface VoiceProgressProps {
  /** 0 to 100; null while unknown, as in a queue. */
  percent: number | null;
  /** Accessible name of what progresses. */
  label: string;
  className?: string;
}

export function VoiceProgress({ percent, label, className }: VoiceProgressProps) {
  const id = useId();
  const filled = Math.min(100, Math.max(0, percent ?? 0));
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(percent !== null && { "aria-valuenow": Math.round(filled) })}
      className={cx("h-6 w-full overflow-hidden", className)}
    >
      <svg width="100%" height={HEIGHT} aria-hidden="true" className="block">
        <defs>
          <pattern id={`${id}words`} patternUnits="userSpaceOnUse" width={TILE} height={HEIGHT}>
            {WORDS.map(({ x, width, line }) => (
              <rect key={`${line}-${x}`} x={x} y={LINE_Y[line]} width={width} height="2" rx="1" fill="var(--ink-soft)" />
            ))}
          </pattern>
          <pattern id={`${id}voice`} patternUnits="userSpaceOnUse" width={TILE} height={HEIGHT}>
            {BARS.map((height, i) => (
              <rect
                // biome-ignore lint/suspicious/noArrayIndexKey: a fixed drawing
                key={i}
                x={i * BAR_STEP + 1}
                y={(HEIGHT - (0.15 + 0.85 * height) * 21) / 2}
                width="2"
                height={(0.15 + 0.85 * height) * 21}
                rx="1"
                fill={percent === null ? "var(--rule-strong)" : "var(--voice)"}
              />
            ))}
          </pattern>
        </defs>
        <rect width={`${filled}%`} height={HEIGHT} fill={`url(#${id}words)`} />
        <rect x={`${filled}%`} width={`${100 - filled}%`} height={HEIGHT} fill={`url(#${id}voice)`} />
        {percent !== null && filled < 100 && <rect x={`${filled}%`} y="0" width="2" height={HEIGHT} fill="var(--ink)" />}
      </svg>
    </div>
  );
}
