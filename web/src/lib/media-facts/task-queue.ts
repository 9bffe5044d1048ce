/** Limits concurrent tasks; the others queue, and aborted ones leave the queue. */
export function taskQueue(places: number) {
  let free = places;
  const line: (() => void)[] = [];

  const release = () => {
    const next = line.shift();
    if (next) next();
    else free += 1;
  };

  /** Returns the release function, to be called once; null when `signal` is aborted first. */
  return async function take(signal: AbortSignal): Promise<(() => void) | null> {
    if (signal.aborted) return null;
    if (free > 0) {
      free -= 1;
      return release;
    }
    return new Promise((resolve) => {
      const called = () => {
        signal.removeEventListener("abort", leave);
        resolve(release);
      };
      const leave = () => {
        line.splice(line.indexOf(called), 1);
        resolve(null);
      };
      line.push(called);
      signal.addEventListener("abort", leave, { once: true });
    });
  };
}
