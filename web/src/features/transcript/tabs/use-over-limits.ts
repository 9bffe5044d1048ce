import { useEffect, useState } from "react";
import { msUntilRest, watchScrolling } from "@/domain/transcript/scroll-rest";
import { type CueText, type OverLimitCue, overLimitsAt } from "./cues";

/** Maximum time of one step in ms, so that a frame is not delayed. */
const LOOK_MS = 5;

/** The cues of the text that exceed limits, computed while the browser is idle; null until known. */
export function useOverLimits({ segments, speakers, duration }: CueText): readonly OverLimitCue[] | null {
  const [over, setOver] = useState<readonly OverLimitCue[] | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const text = { segments, speakers, duration };
    let at = 0;
    const findings: OverLimitCue[] = [];
    const endWatch = watchScrolling();
    const look = () => {
      const until = performance.now() + LOOK_MS;
      const delay = msUntilRest();
      for (; at < segments.length && delay <= 0 && performance.now() < until; at += 1) {
        findings.push(...overLimitsAt(text, at));
      }
      if (at < segments.length) {
        timer = setTimeout(look, delay);
      } else {
        setOver(findings);
      }
    };
    timer = setTimeout(look);
    return () => {
      endWatch();
      clearTimeout(timer);
    };
  }, [segments, speakers, duration]);
  return over;
}
