/** What a transcript's views need of a segment: a recognised one has it, and so has an edited one. */
import type { EditedSegment } from "@/api";

export interface SpokenSegment extends Pick<EditedSegment, "start" | "end" | "speaker" | "text" | "words"> {
  /** Its name in edits; recognised segments have their number instead. */
  id?: string;
  index?: number;
}

/** What its row is called in a view. */
export const rowName = ({ id, index }: SpokenSegment): string => String(id ?? index ?? "");

/** What it is called as long as it is there, wherever it stands. */
export const keyOf = ({ id, index }: SpokenSegment, position: number): string | number => id ?? index ?? position;
