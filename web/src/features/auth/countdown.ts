/** How long until something is allowed again. */
import { useEffect, useState } from "react";

const TICK_MS = 1_000;
/** What is spoken changes once in so many seconds: a count every second would drown everything else. */
const SPOKEN_STEP_S = 30;

/** Whole seconds from `now` until `at`, both in ms; 0 when it has passed. */
export const secondsUntil = (at: number, now: number): number => Math.max(0, Math.ceil((at - now) / 1000));

/** The seconds as they are spoken: rounded up to the next step. */
export const spokenSeconds = (left: number): number => Math.ceil(left / SPOKEN_STEP_S) * SPOKEN_STEP_S;

/** Seconds left until `at` by this machine's clock, counted down on the page. */
export function useCountdown(at: number): number {
  const [left, setLeft] = useState(() => secondsUntil(at, Date.now()));
  useEffect(() => {
    // From the clock each time: a timer of a hidden page stands still.
    const count = () => {
      const now = secondsUntil(at, Date.now());
      setLeft(now);
      if (now === 0) clearInterval(ticking);
    };
    const ticking = setInterval(count, TICK_MS);
    count();
    return () => clearInterval(ticking);
  }, [at]);
  return left;
}
