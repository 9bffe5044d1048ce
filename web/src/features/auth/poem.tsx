/** A few lines about the word, laid out as a transcript: the voice above, times in the margin, one word highlighted. */
import { useTranslation } from "react-i18next";
import { cx } from "@/lib/class-names";
import { formatClock } from "@/lib/format";
import { voiceBars } from "@/lib/voice-drawing";

const BARS = voiceBars(72, 4);
const STEP = 6;
const HEIGHT = 120;
/** The played part of the recording. */
const SPOKEN_SHARE = 0.42;
const SECONDS_A_LINE = 4;
/** The current line; its last word is highlighted. */
const SPOKEN_LINE = 1;

export function Poem({ className }: { className?: string }) {
  const { t } = useTranslation("auth");
  const lines = t("poem.lines", { returnObjects: true });
  return (
    <aside className={cx("min-w-0 flex-col justify-center gap-12 px-10 py-16 xl:px-20", className)}>
      <svg viewBox={`0 0 ${BARS.length * STEP} ${HEIGHT}`} aria-hidden="true" className="w-full max-w-160">
        {BARS.map((height, i) => (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a fixed drawing
            key={i}
            x={i * STEP + 1.5}
            y={(HEIGHT * (1 - height)) / 2}
            width="3"
            height={height * HEIGHT}
            rx="1.5"
            fill={i < BARS.length * SPOKEN_SHARE ? "var(--voice)" : "var(--rule-strong)"}
          />
        ))}
      </svg>
      <figure className="m-0 max-w-160">
        <blockquote className="m-0 flex flex-col gap-3">
          {lines.map((line, i) => (
            <p key={line} className="grid grid-cols-[3.25rem_1fr] items-baseline">
              <span aria-hidden="true" className="figures text-sm text-ink-faint">
                {formatClock(i * SECONDS_A_LINE)}
              </span>
              <span
                className={cx(
                  "font-serif text-[1.375rem] leading-snug xl:text-2xl 2xl:text-[1.75rem]",
                  i > SPOKEN_LINE && "text-ink-faint",
                )}
              >
                {i === SPOKEN_LINE ? <LastWordLit line={line} /> : line}
              </span>
            </p>
          ))}
        </blockquote>
        <figcaption className="mt-6 pl-[3.25rem] text-sm text-ink-soft">{t("poem.author")}</figcaption>
      </figure>
    </aside>
  );
}

function LastWordLit({ line }: { line: string }) {
  const space = line.lastIndexOf(" ") + 1;
  return (
    <>
      {line.slice(0, space)}
      <span className="-mx-1 rounded-sm bg-voice-word px-1">{line.slice(space)}</span>
    </>
  );
}
