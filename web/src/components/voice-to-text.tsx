/** The drawing of the mark at full length: a recording on the left becomes a page on the right. */
import { cx } from "@/lib/class-names";
import { voiceBars, wordDashes } from "@/lib/voice-drawing";

const BARS = voiceBars(30, 3);
const BAR_STEP = 5.5;
const LINES = 5;
const LINE_STEP = 18;
const TEXT_X = 176;
/** Lines begin where the voice's bars end, one a little later than the other. */
const INDENT = [22, 6, 0, 9, 28];
const WORDS = wordDashes(LINES, 136, 11, 0.35);
/** The word being spoken. */
const SPOKEN = WORDS.findIndex((word) => word.line === 2 && word.x > 20);

export function VoiceToText({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 330 100" aria-hidden="true" className={cx("h-auto", className)}>
      {BARS.map((height, i) => {
        const tall = height * 84;
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a fixed drawing
            key={i}
            x={i * BAR_STEP + 2}
            y={50 - tall / 2}
            width="2.4"
            height={tall}
            rx="1.2"
            fill="var(--voice)"
          />
        );
      })}
      {WORDS.map(({ x, width, line }, i) => (
        <rect
          key={`${line}-${x}`}
          x={TEXT_X + (INDENT[line] ?? 0) + x}
          y={12.8 + line * LINE_STEP}
          width={width}
          height="2.8"
          rx="1.4"
          fill={i === SPOKEN ? "var(--accent)" : "var(--ink)"}
        />
      ))}
    </svg>
  );
}
