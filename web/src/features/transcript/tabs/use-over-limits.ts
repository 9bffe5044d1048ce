import { useEffect, useState } from "react";
import type { EditedSegment } from "../document/model";
import { overLimits } from "./cues";

/** Segments looked at between two frames: the rules need some tenths of a millisecond for each. */
const AT_ONCE = 20;

/** How many cues of the text are over the limits, counted while nothing else is to be done; null until it is known. */
export function useOverLimits(segments: readonly EditedSegment[], duration: number): number | null {
  const [count, setCount] = useState<number | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let at = 0;
    let found = 0;
    const look = () => {
      const end = Math.min(segments.length, at + AT_ONCE);
      for (; at < end; at += 1) {
        found += overLimits(segments, at, duration);
      }
      if (at < segments.length) {
        timer = setTimeout(look);
      } else {
        setCount(found);
      }
    };
    timer = setTimeout(look);
    return () => clearTimeout(timer);
  }, [segments, duration]);
  return count;
}
