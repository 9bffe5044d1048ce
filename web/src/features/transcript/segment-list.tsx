/**
 * The segments as one long text. Only the rows near the window are on the page when there are many; a text of usual
 * length is there in full, so that the browser's own search and a screen reader find all of it.
 */
import { useWindowVirtualizer, windowScroll } from "@tanstack/react-virtual";
import { type Ref, useImperativeHandle, useLayoutEffect, useRef, useState } from "react";
import { scrollBehavior } from "@/lib/scroll-behavior";
import type { Segment } from "./model";
import { pageScrolls } from "./page-scroll";
import { beginsParagraph } from "./paragraphs";
import { SegmentRow } from "./segment-row";
import "./transcript.css";

/** Up to here every row is rendered; beyond, those within the window and this many around it. */
const WHOLE_TEXT_ROWS = 250;
const OVERSCAN_ROWS = 12;

const LETTERS_A_LINE = 62;
const LINE_PX = 30;
const ROW_GAP_PX = 6;
const PARAGRAPH_GAP_PX = 22;

export interface SegmentListHandle {
  scrollToSegment: (position: number) => void;
}

interface SegmentListProps {
  segments: readonly Segment[];
  /** Number of the first word of each segment. */
  firstWord: ArrayLike<number>;
  /** Position of the first segment that has just arrived. */
  freshFrom?: number;
  onPlay?: ((seconds: number) => void) | undefined;
  /** Called after rows were put on the page or taken off it. */
  onRendered?: () => void;
  ref?: Ref<SegmentListHandle>;
}

export function SegmentList({ segments, firstWord, freshFrom, onPlay, onRendered, ref }: SegmentListProps) {
  const list = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const virtualizer = useWindowVirtualizer({
    count: segments.length,
    overscan: segments.length <= WHOLE_TEXT_ROWS ? WHOLE_TEXT_ROWS : OVERSCAN_ROWS,
    scrollMargin: top,
    scrollToFn: (offset, options, instance) => {
      pageScrolls.own();
      windowScroll(offset, options, instance);
    },
    estimateSize: (position) => estimateHeight(segments, position),
    getItemKey: (position) => segments[position]?.index ?? position,
  });

  useLayoutEffect(() => {
    const measure = () => {
      if (list.current) {
        setTop(list.current.getBoundingClientRect().top + window.scrollY);
      }
    };
    measure();
    // What stands above the text changes its height while a job runs.
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);

  useLayoutEffect(() => onRendered?.());

  useImperativeHandle(ref, () => ({
    scrollToSegment: (position) =>
      virtualizer.scrollToIndex(position, {
        align: "center",
        behavior: segments.length > WHOLE_TEXT_ROWS ? "auto" : scrollBehavior(),
      }),
  }));

  return (
    <div ref={list} className="relative w-full" style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map((item) => {
        const segment = segments[item.index];
        return (
          segment && (
            <div
              key={item.key}
              ref={virtualizer.measureElement}
              data-index={item.index}
              className="absolute top-0 left-0 w-full"
              style={{
                transform: `translateY(${item.start - top}px)`,
                paddingTop: gapBefore(segments, item.index),
              }}
            >
              <SegmentRow
                segment={segment}
                firstWord={firstWord[item.index] ?? 0}
                fresh={item.index >= (freshFrom ?? Number.POSITIVE_INFINITY)}
                onPlay={onPlay}
              />
            </div>
          )
        );
      })}
    </div>
  );
}

function gapBefore(segments: readonly Segment[], position: number): number {
  const before = segments[position - 1];
  const segment = segments[position];
  if (!before || !segment) {
    return 0;
  }
  return beginsParagraph(before, segment) ? PARAGRAPH_GAP_PX : ROW_GAP_PX;
}

function estimateHeight(segments: readonly Segment[], position: number): number {
  const letters = segments[position]?.text.length ?? 0;
  return Math.max(1, Math.ceil(letters / LETTERS_A_LINE)) * LINE_PX + gapBefore(segments, position);
}
