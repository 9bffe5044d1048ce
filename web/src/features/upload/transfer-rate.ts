/** Speed and remaining time of a transfer, from the bytes sent in the last seconds. */

export interface Rate {
  /** Bytes per second, or null while too little is known. */
  bytesPerSecond: number | null;
  /** Seconds left, or null while too little is known. */
  secondsLeft: number | null;
}

/** Long enough for a stable value, short enough to follow changes of the connection. */
const WINDOW_MS = 6_000;

/** With less data, the value would be a guess. */
const SETTLE_MS = 700;

export interface RateMeter {
  /** Records that `sent` of `total` bytes were sent at `now` (ms of a monotonic clock). */
  note: (sent: number, total: number, now: number) => Rate;
  /** Clears the samples: after a pause the old speed is meaningless. */
  reset: () => void;
}

export function createRateMeter(): RateMeter {
  let samples: { at: number; sent: number }[] = [];
  return {
    note: (sent, total, now) => {
      const newest = samples.at(-1);
      if (newest && sent < newest.sent) {
        // The server had stored less than was sent: restart from there.
        samples = [];
      }
      samples.push({ at: now, sent });
      while (samples.length > 2 && now - (samples[0]?.at ?? now) > WINDOW_MS) {
        samples.shift();
      }
      const oldest = samples[0];
      if (!oldest || now - oldest.at < SETTLE_MS || sent === oldest.sent) {
        return { bytesPerSecond: null, secondsLeft: null };
      }
      const bytesPerSecond = ((sent - oldest.sent) * 1_000) / (now - oldest.at);
      return { bytesPerSecond, secondsLeft: Math.max(0, total - sent) / bytesPerSecond };
    },
    reset: () => {
      samples = [];
    },
  };
}
