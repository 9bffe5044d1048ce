/** One segment: its time in the margin, its words as text that can be clicked. */
import { memo, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatClock } from "@/lib/format";
import type { Segment } from "./model";
import { letGo } from "./pointer-focus";
import { WORD_ATTRIBUTE } from "./spoken-word";
import { LOW_CONFIDENCE, layoutSegment } from "./word-layout";

interface SegmentRowProps {
  segment: Segment;
  /** Number of the segment's first word in the whole transcript. */
  firstWord: number;
  /** Came while the reader was looking. */
  fresh: boolean;
  /** Absent while there is nothing to play. */
  onPlay: ((seconds: number) => void) | undefined;
}

export const SegmentRow = memo(function SegmentRow({ segment, firstWord, fresh, onPlay }: SegmentRowProps) {
  const { t } = useTranslation("transcript");
  // Decided once, when the row appears: it does not fade in again when something else on it changes.
  const [appearing] = useState(fresh);
  const clock = formatClock(segment.start);
  return (
    <div
      className="transcript-row grid grid-cols-[3.25rem_minmax(0,1fr)] sm:grid-cols-[4.5rem_minmax(0,1fr)]"
      data-fresh={appearing || undefined}
    >
      {onPlay ? (
        <button
          type="button"
          // The text is one stop of the Tab key, moved through by arrows; hundreds of times are not on the way.
          tabIndex={-1}
          className="figures -ml-1 h-7 self-start justify-self-start rounded px-1 pt-1 text-xs text-ink-faint hover:bg-accent-wash hover:text-accent-strong"
          aria-label={t("text.segment", { time: clock })}
          onClick={(event) => {
            letGo(event);
            onPlay(segment.start);
          }}
        >
          {clock}
        </button>
      ) : (
        <span className="figures h-7 pt-1 text-xs text-ink-faint">{clock}</span>
      )}
      <p className="reading">
        {layoutSegment(segment).map((piece, at) => {
          const word = segment.words[piece.word];
          if (!word) {
            return piece.text;
          }
          const unsure = word.confidence < LOW_CONFIDENCE;
          return (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a segment never change their order
              key={at}
              className={onPlay ? "transcript-word" : undefined}
              data-unsure={unsure || undefined}
              title={unsure ? t("text.confidence", { percent: Math.round(word.confidence * 100) }) : undefined}
              {...{ [WORD_ATTRIBUTE]: firstWord + piece.word }}
            >
              {piece.text}
            </span>
          );
        })}
      </p>
    </div>
  );
});
