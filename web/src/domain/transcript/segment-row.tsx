/** One segment: its time, or a button to play it, in the margin, and its words as clickable text. */
import type { TFunction } from "i18next";
import { Play } from "lucide-react";
import { memo, type ReactNode, useState } from "react";
import { cx } from "@/lib/class-names";
import { formatClock } from "@/lib/format";
import { LanguageMark } from "./language-mark";
import { rowName, type SpokenSegment } from "./model";
import { releaseFocus } from "./pointer-focus";
import { SegmentWords } from "./segment-words";
import { ROW_ATTRIBUTE } from "./spoken-word";

interface SegmentRowProps {
  segment: SpokenSegment;
  /** Language of its text, if it is another than that of the whole text. */
  lang?: string | undefined;
  /** The language, if the segment before has another one. */
  newLanguage?: string | undefined;
  /** Number of the segment's first word in the whole transcript. */
  firstWord: number;
  /** The list loads the translations once: dozens of rows may be rendered in a frame. */
  t: TFunction<"transcript">;
  /** Space above, in px. */
  gap: number;
  /** Arrived while the reader was looking. */
  fresh: boolean;
  /** Its words are rendered shortly after its text. */
  late: boolean;
  /** Whether it shows its time. */
  timed: boolean;
  /** Absent while nothing can be played. */
  onPlay: ((seconds: number) => void) | undefined;
  renderSpeaker: ((segment: SpokenSegment) => ReactNode) | undefined;
  /** Replaces the words. */
  editor: ReactNode;
  /** Rendered below the words; memoisation only checks whether it is present. */
  note: ReactNode;
}

/** Returns the segment that an element belongs to. */
export const SEGMENT_ATTRIBUTE = "data-segment";

export const SegmentRow = memo(Row, isDrawnAlike);

/** After an edit is acknowledged, the segment is a new object with the same words. */
function isDrawnAlike({ segment: before, ...old }: SegmentRowProps, { segment, ...now }: SegmentRowProps): boolean {
  return (
    before.id === segment.id &&
    before.start === segment.start &&
    before.speaker === segment.speaker &&
    before.text === segment.text &&
    before.words === segment.words &&
    old.lang === now.lang &&
    old.newLanguage === now.newLanguage &&
    old.firstWord === now.firstWord &&
    old.t === now.t &&
    old.gap === now.gap &&
    old.late === now.late &&
    old.timed === now.timed &&
    old.onPlay === now.onPlay &&
    old.renderSpeaker === now.renderSpeaker &&
    old.editor === now.editor &&
    (old.note == null) === (now.note == null)
  );
}

function Row(props: SegmentRowProps) {
  const { segment, lang, newLanguage, firstWord, t, gap, fresh, late, timed, onPlay, renderSpeaker, editor, note } = props;
  // Decided once, on mount: the row does not fade in again when something else on it changes.
  const [appearing] = useState(fresh);
  const clock = formatClock(segment.start);
  return (
    <div
      // The time is aligned with the first line. A grid in each row would take longer to lay out.
      className="transcript-row relative pl-[3.25rem] sm:pl-[4.5rem]"
      data-fresh={appearing || undefined}
      // The editor's field has no language of its own.
      lang={editor ? lang : undefined}
      style={gap > 0 ? { paddingTop: gap } : undefined}
      {...{ [SEGMENT_ATTRIBUTE]: segment.id, [ROW_ATTRIBUTE]: rowName(segment) }}
    >
      {(renderSpeaker || newLanguage !== undefined) && (
        <div className={cx("pb-0.5", newLanguage !== undefined && "flex flex-wrap items-baseline gap-x-2.5")}>
          {renderSpeaker?.(segment)}
          {newLanguage !== undefined && <LanguageMark code={newLanguage} />}
        </div>
      )}
      {onPlay ? (
        <button
          type="button"
          // The text is one tab stop, navigated by arrow keys, so that hundreds of times are not in the tab order.
          tabIndex={-1}
          className="figures absolute left-0 -ml-1 h-7 rounded px-1 pt-1 text-xs text-ink-faint hover:bg-accent-wash hover:text-accent-strong"
          aria-label={timed ? t("text.segment", { time: clock }) : t("text.play")}
          onClick={(event) => {
            releaseFocus(event);
            onPlay(segment.start);
          }}
        >
          {timed ? clock : <Play aria-hidden="true" className="size-3.5" />}
        </button>
      ) : (
        timed && <span className="figures absolute left-0 h-7 pt-1 text-xs text-ink-faint">{clock}</span>
      )}
      {editor ?? (
        <p lang={lang} className="reading">
          <SegmentWords segment={segment} firstWord={firstWord} live={onPlay !== undefined} late={late} />
        </p>
      )}
      {note != null && <div>{note}</div>}
    </div>
  );
}
