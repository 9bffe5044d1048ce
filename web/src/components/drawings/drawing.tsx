/**
 * Common parts of the drawings for empty pages: lines in the text colour, and the accent colour for what the reader can
 * do. They are static and use the text's colours, also in forced-colors mode.
 */
import type { ReactNode } from "react";
import { cx } from "@/lib/class-names";

interface DrawingProps {
  className?: string | undefined;
  children: ReactNode;
}

export function Drawing({ className, children }: DrawingProps) {
  return (
    <svg
      viewBox="0 0 200 112"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      className={cx("h-auto w-full max-w-52 text-ink-soft", className)}
    >
      {children}
    </svg>
  );
}

export function Accent({ children }: { children: ReactNode }) {
  return (
    <g stroke="currentColor" className="text-accent">
      {children}
    </g>
  );
}

/** A voice: bars of these heights around a centre line, starting at `x`. */
export function Voice({ x, y, heights, step = 7 }: { x: number; y: number; heights: readonly number[]; step?: number }) {
  return heights.map((height, at) => {
    const left = x + at * step;
    return <path key={left} d={`M${left} ${y - height / 2}v${height}`} />;
  });
}

/** Words on a line: dashes of these widths. */
export function Words({ x, y, widths }: { x: number; y: number; widths: readonly number[] }) {
  const starts = widths.map((_, at) => x + widths.slice(0, at).reduce((sum, width) => sum + width + 7, 0));
  return starts.map((left, at) => <path key={left} d={`M${left} ${y}h${widths[at] ?? 0}`} />);
}
