/** The subtitles for the video: the same cues as in the tab and in files. */
import { useMemo } from "react";
import type { CaptionSource } from "@/domain/transcript/captions";
import { timelineOf } from "@/domain/transcript/timeline";
import type { DocumentStore } from "../document/document-store";
import { cuesAt } from "../tabs/cues";
import { visibleSegments } from "./geometry";

export function useCaptionSource(document: DocumentStore, duration: number, language: string): CaptionSource {
  return useMemo(
    () => ({
      language,
      between: (from, to) => {
        const { segments, speakers } = document.getState();
        const text = { segments, speakers, duration };
        const [first, end] = visibleSegments(timelineOf(segments).segmentStarts, { from, scale: 1, width: to - from });
        return Array.from({ length: end - first }, (_, at) => cuesAt(text, first + at))
          .flat()
          .filter((cue) => cue.end > from && cue.start < to)
          .map(({ start, end: last, head, lines }) => ({ start, end: last, text: head + lines.join("\n") }));
      },
      subscribe: (listener) =>
        document.subscribe((after, before) => {
          if (after.segments !== before.segments || after.speakers !== before.speakers) {
            listener();
          }
        }),
    }),
    [document, duration, language],
  );
}
