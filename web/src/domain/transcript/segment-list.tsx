/** The segments as one long text. */
import { type ReactNode, type Ref, useImperativeHandle, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { langOf, languagesOf, newLanguage } from "./languages";
import { keyOf, type SpokenSegment } from "./model";
import { beginsParagraph } from "./paragraphs";
import { SegmentRow } from "./segment-row";
import { WHOLE_ROWS, WindowRows, type WindowRowsHandle } from "./window-rows";
import "./transcript.css";

// Measured in a wide window: a row as high as estimated causes no shift when it is rendered.
const LETTERS_A_LINE = 60;
const LINE_PX = 29.6875;
const ROW_GAP_PX = 6;
const PARAGRAPH_GAP_PX = 22;
const HEAD_PX = 26;

export interface SegmentListHandle {
  scrollToSegment: (position: number) => void;
}

interface SegmentListProps {
  segments: readonly SpokenSegment[];
  /** Language of the text, for segments without their own. */
  language?: string;
  /** Number of the first word of each segment. */
  firstWord: ArrayLike<number>;
  /** Position of the first segment that has just arrived. */
  freshFrom?: number;
  /** False if the transcription was made without timestamps. */
  timed?: boolean;
  onPlay?: ((seconds: number) => void) | undefined;
  /** Rendered above a segment where the speaker changes; must be a stable function while its output is the same. */
  renderSpeaker?: ((segment: SpokenSegment) => ReactNode) | undefined;
  /** Rendered below a segment, if anything. */
  renderNote?: ((segment: SpokenSegment) => ReactNode) | undefined;
  /** The segment being edited, and what replaces its words. */
  edited?: { position: number; editor: ReactNode } | undefined;
  /** Changes identity when segments are added or removed; without it every change of the text counts as one. */
  order?: unknown;
  /** Called after rows were mounted or unmounted. */
  onRendered?: (() => void) | undefined;
  ref?: Ref<SegmentListHandle>;
}

export function SegmentList(props: SegmentListProps) {
  const { segments, language = "", firstWord, freshFrom, timed = true, onPlay, renderSpeaker, renderNote, edited } = props;
  const { order = segments, onRendered, ref } = props;
  const { t } = useTranslation("transcript");
  const rows = useRef<WindowRowsHandle>(null);
  useImperativeHandle(ref, () => ({ scrollToSegment: (position) => rows.current?.scrollToRow(position) }));
  const withHeads = renderSpeaker !== undefined;
  const several = useMemo(() => languagesOf(segments, language).length > 1, [segments, language]);
  const languageAt = (at: number) => (several ? newLanguage(segments[at - 1], segments[at], language) : undefined);
  const hasHead = (at: number) => (withHeads && isHeaded(segments, at)) || languageAt(at) !== undefined;
  // All rows are laid out again whenever one is measured: that must not recompute each of them.
  // A segment that changes is on the page, and measured.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another order says that segments have come or gone
  const heights = useMemo(
    () => segments.map((_, at) => estimateHeight(segments, at) + (hasHead(at) ? HEAD_PX : 0)),
    [order, withHeads, several],
  );
  return (
    <WindowRows
      ref={rows}
      count={segments.length}
      estimate={(position) => heights[position] ?? LINE_PX}
      keyOf={(position) => {
        const segment = segments[position];
        return segment ? keyOf(segment, position) : position;
      }}
      order={order}
      kept={edited?.position}
      onRendered={onRendered}
      row={(position) => {
        const segment = segments[position];
        return (
          segment && (
            <SegmentRow
              segment={segment}
              lang={langOf(segment, language)}
              newLanguage={languageAt(position)}
              firstWord={firstWord[position] ?? 0}
              t={t}
              gap={gapBefore(segments, position)}
              fresh={position >= (freshFrom ?? Number.POSITIVE_INFINITY)}
              late={segments.length > WHOLE_ROWS}
              timed={timed}
              onPlay={onPlay}
              renderSpeaker={withHeads && isHeaded(segments, position) ? renderSpeaker : undefined}
              note={renderNote?.(segment)}
              editor={edited?.position === position ? edited.editor : undefined}
            />
          )
        );
      }}
    />
  );
}

/** Whether the speaker differs from that of the segment before. */
const isHeaded = (segments: readonly SpokenSegment[], position: number): boolean =>
  segments[position]?.speaker != null && segments[position - 1]?.speaker !== segments[position]?.speaker;

function gapBefore(segments: readonly SpokenSegment[], position: number): number {
  const before = segments[position - 1];
  const segment = segments[position];
  if (!before || !segment) {
    return 0;
  }
  return beginsParagraph(before, segment) ? PARAGRAPH_GAP_PX : ROW_GAP_PX;
}

function estimateHeight(segments: readonly SpokenSegment[], position: number): number {
  const letters = segments[position]?.text.length ?? 0;
  return Math.max(1, Math.ceil(letters / LETTERS_A_LINE)) * LINE_PX + gapBefore(segments, position);
}
