/** A thin bar of progress below its text. */
import { cx } from "@/lib/class-names";

interface ProgressLineProps {
  /** Accessible name of what progresses. */
  label: string;
  /** 0 to 100. */
  percent: number;
  /** Its distance from the text, and the colour of the rest. */
  className: string;
}

export function ProgressLine({ label, percent, className }: ProgressLineProps) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuenow={Math.round(percent)}
      className={cx("h-1 overflow-hidden rounded-full", className)}
    >
      <div className="h-full rounded-full bg-voice" style={{ width: `${percent}%` }} />
    </div>
  );
}
