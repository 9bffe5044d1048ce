/** Lines as the views of a transcript take them: one whose sureness is not shown has no word that stands out. */
import type { SharedSegment } from "@/api";
import type { SpokenSegment } from "@/domain/transcript/model";

/** The revision is there where the link lets edit. */
export type SharedLine = SpokenSegment & { id: string; revision?: number | null };

export const spokenLines = (segments: readonly SharedSegment[]): SharedLine[] =>
  segments.map((segment) => ({
    ...segment,
    words: segment.words.map((word) => ({ ...word, confidence: word.confidence ?? 1 })),
  }));
