/** Defers less important work until after the next paint. */

/** Delay in a hidden tab, which has no animation frames, in ms. */
const HIDDEN_MS = 250;

/** Calls back after the next paint; returns the cancel function. */
export function whenPainted(act: () => void): () => void {
  let later: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    cancelAnimationFrame(frame);
    clearTimeout(later);
    clearTimeout(hidden);
  };
  const finish = () => {
    stop();
    act();
  };
  // Callbacks of a frame run before its paint; tasks queued in them run after it.
  const frame = requestAnimationFrame(() => {
    later = setTimeout(finish);
  });
  const hidden = setTimeout(finish, HIDDEN_MS);
  return stop;
}
