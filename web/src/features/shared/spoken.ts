/** Lines as the views of a transcript take them: one whose sureness is not shown has no word that stands out. */
import type { SharedSegment } from "@/api";
import type { SpokenSegment } from "@/components/transcript/model";

export type SharedLine = SpokenSegment & { id: string };

export const spokenLines = (segments: readonly SharedSegment[]): SharedLine[] =>
  segments.map((segment) => ({
    ...segment,
    words: segment.words.map((word) => ({ ...word, confidence: word.confidence ?? 1 })),
  }));
