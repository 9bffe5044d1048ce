/** The time left until something is allowed again. */
import { useEffect, useState } from "react";

const TICK_MS = 1_000;
/** Screen readers announce the time in steps of so many seconds; every second would be too much. */
const SPOKEN_STEP_S = 30;

/** Whole seconds from `now` until `at`, both in ms; 0 if it has passed. */
export const secondsUntil = (at: number, now: number): number => Math.max(0, Math.ceil((at - now) / 1000));

/** The announced seconds: rounded up to the next step. */
export const spokenSeconds = (seconds: number): number => Math.ceil(seconds / SPOKEN_STEP_S) * SPOKEN_STEP_S;

/** Seconds left until `at` by the local clock, counting down. */
export function useCountdown(at: number): number {
  const [secondsLeft, setSecondsLeft] = useState(() => secondsUntil(at, Date.now()));
  useEffect(() => {
    // From the clock each time, because timers of a hidden page are delayed.
    const count = () => {
      const now = secondsUntil(at, Date.now());
      setSecondsLeft(now);
      if (now === 0) clearInterval(ticking);
    };
    const ticking = setInterval(count, TICK_MS);
    count();
    return () => clearInterval(ticking);
  }, [at]);
  return secondsLeft;
}
