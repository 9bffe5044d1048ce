/** A wide version of the logo: a recording on the left turns into lines of text on a page. */
import { cx } from "@/lib/class-names";
import { voiceBars, wordDashes } from "@/lib/voice-drawing";

const LINES = 5;
const LINE_STEP = 17;
const MIDDLE = 50;
const BAR_STEP = 5.5;
/** The bars that are falling apart: their pieces are already on the lines. */
const FALLING = 9;
const BARS = voiceBars(30, 3);
const TEXT_X = BARS.length * BAR_STEP + 4;
const WORDS = wordDashes(LINES, 150, 11, 0.35);
/** The word being spoken. */
const SPOKEN = WORDS.findIndex((word) => word.line === 2 && word.width > 12);

const lineY = (line: number) => MIDDLE + (line - (LINES - 1) / 2) * LINE_STEP;

export function VoiceToText({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 330 100" aria-hidden="true" className={cx("h-auto", className)}>
      {BARS.map((height, i) => {
        const x = i * BAR_STEP + 2;
        const fallen = (i - (BARS.length - FALLING)) / FALLING;
        return fallen < 0 ? (
          <Bar key={x} x={x} height={gathered(height, fallen) * 80} />
        ) : (
          <Pieces key={x} x={x} fallen={fallen} />
        );
      })}
      {WORDS.map(({ x, width, line }, i) => (
        <rect
          key={`${line}-${x}`}
          x={TEXT_X + x}
          y={lineY(line) - 1.4}
          width={width}
          height="2.8"
          rx="1.4"
          fill={i === SPOKEN ? "var(--accent)" : "var(--ink)"}
        />
      ))}
    </svg>
  );
}

/** The last whole bars grow to the height of the page that they turn into. `fallen` is below 0. */
function gathered(height: number, fallen: number): number {
  const near = Math.max(0, 1 + fallen * 1.6);
  return height + (1 - height) * near * 0.85;
}

function Bar({ x, height }: { x: number; height: number }) {
  return <rect x={x} y={MIDDLE - height / 2} width="2.4" height={height} rx="1.2" fill="var(--voice)" />;
}

/** A bar split into one piece per line; the further it has fallen (0 to 1), the shorter and darker the pieces. */
function Pieces({ x, fallen }: { x: number; fallen: number }) {
  const height = 2.8 + (1 - fallen) * (LINE_STEP - 6);
  return Array.from({ length: LINES }, (_, line) => (
    <rect
      key={lineY(line)}
      x={x}
      y={lineY(line) - height / 2}
      width="2.4"
      height={height}
      rx="1.2"
      fill={`color-mix(in oklch, var(--ink) ${Math.round(fallen * 100)}%, var(--voice))`}
    />
  ));
}
