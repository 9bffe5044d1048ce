/** After the next paint: what is not looked at first waits for that. */

/** How long to wait in a tab out of sight, which has no frames, in ms. */
const HIDDEN_MS = 250;

/** Calls back once what has just been put on the page is painted; returns how to call it off. */
export function whenPainted(act: () => void): () => void {
  let later: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    cancelAnimationFrame(frame);
    clearTimeout(later);
    clearTimeout(hidden);
  };
  const done = () => {
    stop();
    act();
  };
  // A frame's callbacks come before its paint, what they leave for later comes behind it.
  const frame = requestAnimationFrame(() => {
    later = setTimeout(done);
  });
  const hidden = setTimeout(done, HIDDEN_MS);
  return stop;
}
