/** Converts lines for the transcript views: without confidence, no word is marked as uncertain. */
import type { SharedSegment } from "@/api";
import type { SpokenSegment } from "@/domain/transcript/model";

/** The revision is present if the link allows edits. */
export type SharedLine = SpokenSegment & { id: string; revision?: number | null };

export const spokenLines = (segments: readonly SharedSegment[]): SharedLine[] =>
  segments.map((segment) => ({
    ...segment,
    words: segment.words.map((word) => ({ ...word, confidence: word.confidence ?? 1 })),
  }));
