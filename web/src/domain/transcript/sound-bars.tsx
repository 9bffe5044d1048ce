/** The drawing under the seek bar: loudness over the recording, or where there is speech. */
import { useMemo } from "react";
import { cx } from "@/lib/class-names";
import type { SpokenSegment } from "./model";
import { speechMap } from "./speech-map";

/** Silence is drawn as a thin line. */
const SILENCE = 0.06;

interface Sound {
  segments: readonly SpokenSegment[];
  /** From 0 to 1; without them speech density is drawn. */
  peaks: readonly number[] | undefined;
  /** Length of the recording in seconds. */
  duration: number;
  /** How many bars fit; 0 while unknown. */
  count: number;
}

/** The bars as the path of an SVG `count` wide and 100 high. */
export function useSoundPath({ segments, peaks, duration, count }: Sound): string {
  // A bar covers hundreds of words: one more word in a segment makes no visible difference.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the number of segments stands for them
  return useMemo(() => {
    const heights = peaks?.length
      ? loudest(peaks, count)
      : speechMap(segments, duration, count).map((share) => Math.sqrt(share) * 0.9);
    return heights
      .map((share, at) => {
        const height = Math.min(1, Math.max(SILENCE, share)) * 100;
        return `M${at + 0.15} ${50 - height / 2}h.7v${height}h-.7z`;
      })
      .join("");
  }, [segments.length, peaks, duration, count]);
}

interface SoundBarsProps {
  path: string;
  count: number;
  className?: string;
}

export function SoundBars({ path, count, className }: SoundBarsProps) {
  return (
    <svg
      viewBox={`0 0 ${count} 100`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className={cx("pointer-events-none absolute inset-0 size-full", className)}
    >
      <path d={path} fill="currentColor" />
    </svg>
  );
}

/** The maximum of each of `count` equal ranges; with fewer peaks, each is repeated as needed. */
export function loudest(peaks: readonly number[], count: number): number[] {
  return Array.from({ length: count }, (_, at) => {
    const from = Math.floor((at * peaks.length) / count);
    const to = Math.max(from + 1, Math.floor(((at + 1) * peaks.length) / count));
    return peaks.slice(from, to).reduce((most, value) => Math.max(most, value), 0);
  });
}
