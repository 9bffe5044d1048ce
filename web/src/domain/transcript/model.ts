/** What a transcript's views need of a segment, recognised or edited. */
import type { EditedSegment } from "@/api";

export interface SpokenSegment extends Pick<EditedSegment, "start" | "end" | "speaker" | "language" | "text" | "words"> {
  /** Its id in edits; recognised segments have their number instead. */
  id?: string;
  index?: number;
}

/** The key of its row in a view. */
export const rowName = ({ id, index }: SpokenSegment): string => String(id ?? index ?? "");

/** A key that is stable for the segment's lifetime, independent of its position. */
export const keyOf = ({ id, index }: SpokenSegment, position: number): string | number => id ?? index ?? position;
