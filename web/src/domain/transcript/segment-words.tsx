/** The words of a segment as clickable text. */
import { memo, useLayoutEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { notifyWordsRendered } from "./deferred-words";
import type { SpokenSegment } from "./model";
import { WORD_ATTRIBUTE } from "./spoken-word";
import { useDeferred } from "./use-deferred";
import { LOW_CONFIDENCE, layoutSegment } from "./word-layout";

interface SegmentWordsProps {
  segment: Pick<SpokenSegment, "text" | "words">;
  /** Number of the segment's first word in the whole transcript. */
  firstWord: number;
  /** Words respond to clicks. */
  live: boolean;
  /** The text is rendered first, its words shortly after; only the initial value counts. */
  late?: boolean | undefined;
}

export const SegmentWords = memo(Words, haveSameWords);

/** After an edit is acknowledged, the segment is a new object with the same words. */
function haveSameWords(before: SegmentWordsProps, after: SegmentWordsProps): boolean {
  return (
    before.segment.text === after.segment.text &&
    before.segment.words === after.segment.words &&
    before.firstWord === after.firstWord &&
    before.live === after.live
  );
}

function Words({ segment, firstWord, live, late = false }: SegmentWordsProps) {
  const worded = useDeferred(late);
  useLayoutEffect(() => {
    if (late && worded) {
      notifyWordsRendered();
    }
  }, [late, worded]);
  return worded ? <EachWord segment={segment} firstWord={firstWord} live={live} /> : segment.text;
}

function EachWord({ segment: { text, words }, firstWord, live }: SegmentWordsProps) {
  const { t } = useTranslation("transcript");
  const first = useRef<HTMLSpanElement>(null);
  const pieces = useMemo(() => layoutSegment({ text, words }), [text, words]);
  const start = pieces.findIndex(({ word }) => word >= 0);
  // Adding or removing a word renumbers all later words: the numbers are written to the existing elements.
  useLayoutEffect(() => {
    let element: Element | null = first.current;
    for (const { word } of pieces) {
      if (word >= 0) {
        element?.setAttribute(WORD_ATTRIBUTE, String(firstWord + word));
        element = element?.nextElementSibling ?? null;
      }
    }
  }, [pieces, firstWord]);
  return useMemo(
    () =>
      pieces.map((piece, at) => {
        const word = words[piece.word];
        if (!word) {
          return piece.text;
        }
        const unsure = word.confidence < LOW_CONFIDENCE;
        return (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a segment never change their order
            key={at}
            ref={at === start ? first : undefined}
            className={live ? "transcript-word" : undefined}
            data-unsure={unsure || undefined}
            title={unsure ? t("text.confidence", { percent: Math.round(word.confidence * 100) }) : undefined}
          >
            {piece.text}
          </span>
        );
      }),
    [pieces, words, start, live, t],
  );
}
