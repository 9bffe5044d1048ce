/** What the row of a segment is called, in views that have a row for each. */
import { useCallback } from "react";
import { rowName, type SpokenSegment } from "./model";

export const useRowAt = (segments: readonly SpokenSegment[]) =>
  useCallback(
    (segment: number): string | null => {
      const said = segments[segment];
      return said ? rowName(said) : null;
    },
    [segments],
  );
