/** The row key of a segment, in views that have one row per segment. */
import { useCallback } from "react";
import { rowName, type SpokenSegment } from "./model";

export const useRowAt = (segments: readonly SpokenSegment[]) =>
  useCallback(
    (segment: number): string | null => {
      const line = segments[segment];
      return line ? rowName(line) : null;
    },
    [segments],
  );
