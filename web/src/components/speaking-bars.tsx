/** Four animated bars: a voice is being recognised or recorded. */
import { cx } from "@/lib/class-names";

const BARS = [0.5, 1, 0.7, 0.4];

export function SpeakingBars({ className }: { className?: string }) {
  return (
    <span aria-hidden="true" className={cx("inline-flex shrink-0 items-center justify-between", className)}>
      {BARS.map((height, i) => (
        <span
          key={height}
          className="w-[15%] animate-[voice_900ms_ease-in-out_infinite] rounded-full bg-voice"
          style={{ height: `${height * 100}%`, animationDelay: `${i * 120}ms` }}
        />
      ))}
    </span>
  );
}
