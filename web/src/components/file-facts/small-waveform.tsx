/** A small waveform as bars. */
import { useTranslation } from "react-i18next";
import { cx } from "@/lib/class-names";

const HEIGHT = 40;
const STEP = 3;
const BAR = 2;
/** Minimum height of a bar, for silence. */
const MIN_HEIGHT = 2;

interface SmallWaveformProps {
  /** Each from 0 to 1. */
  peaks: readonly number[];
  className?: string;
}

export function SmallWaveform({ peaks, className }: SmallWaveformProps) {
  const { t } = useTranslation("media-facts");
  const silent = peaks.every((peak) => peak === 0);
  return (
    <svg
      role="img"
      aria-label={silent ? t("silent") : t("waveform")}
      viewBox={`0 0 ${peaks.length * STEP - (STEP - BAR)} ${HEIGHT}`}
      preserveAspectRatio="none"
      className={cx("text-voice", className)}
    >
      <path d={bars(peaks)} fill="currentColor" />
    </svg>
  );
}

/** Placeholder for a waveform that is being read. */
export function WaveformPlaceholder({ bars: count, className }: { bars: number; className?: string }) {
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${count * STEP - (STEP - BAR)} ${HEIGHT}`}
      preserveAspectRatio="none"
      className={cx("animate-[ink-in_1.6s_ease-in-out_infinite] text-rule-strong", className)}
    >
      <path d={bars(Array.from({ length: count }, () => 0))} fill="currentColor" />
    </svg>
  );
}

function bars(peaks: readonly number[]): string {
  return peaks
    .map((peak, at) => {
      const height = Math.max(MIN_HEIGHT, Math.min(1, peak) * HEIGHT);
      return `M${at * STEP} ${((HEIGHT - height) / 2).toFixed(1)}h${BAR}v${height.toFixed(1)}h-${BAR}z`;
    })
    .join("");
}
