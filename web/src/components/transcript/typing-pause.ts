/** Stops a recording while somebody types, and lets it go on when they have stopped. */

/** It goes on so long after the last key, in ms. */
export const TYPING_PAUSE_MS = 1_000;

interface TypingPauseOptions {
  isPlaying: () => boolean;
  pause: () => void;
  resume: () => void;
}

export function createTypingPause({ isPlaying, pause, resume }: TypingPauseOptions) {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const cancel = () => {
    if (timer !== null) {
      clearTimeout(timer);
    }
    timer = null;
  };
  return {
    /** A key was typed. What was silent before stays so. */
    typed: () => {
      const stopped = timer !== null;
      if (!stopped && !isPlaying()) {
        return;
      }
      cancel();
      timer = setTimeout(() => {
        timer = null;
        resume();
      }, TYPING_PAUSE_MS);
      if (!stopped) {
        pause();
      }
    },
    /** The reader has decided themselves whether it plays. */
    cancel,
  };
}
