import { useEffect, useState } from "react";
import { untilRest, watchRest } from "@/components/transcript/page-rest";
import { type CueText, overLimits } from "./cues";

/** Longest look without a rest, in ms: a frame is to have room beside it. */
const LOOK_MS = 5;

/** How many cues of the text are over the limits, counted while nothing else is to be done; null until it is known. */
export function useOverLimits({ segments, speakers, duration }: CueText): number | null {
  const [count, setCount] = useState<number | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const text = { segments, speakers, duration };
    let at = 0;
    let found = 0;
    const endWatch = watchRest();
    const look = () => {
      const until = performance.now() + LOOK_MS;
      const rest = untilRest();
      for (; at < segments.length && rest <= 0 && performance.now() < until; at += 1) {
        found += overLimits(text, at);
      }
      if (at < segments.length) {
        timer = setTimeout(look, rest);
      } else {
        setCount(found);
      }
    };
    timer = setTimeout(look);
    return () => {
      endWatch();
      clearTimeout(timer);
    };
  }, [segments, speakers, duration]);
  return count;
}
