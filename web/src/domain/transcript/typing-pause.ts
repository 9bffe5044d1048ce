/** Pauses playback while the user types, and resumes it afterwards. */

/** Playback resumes this many ms after the last key. */
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
    /** A key was typed. Playback that was already paused stays paused. */
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
    /** The reader has pressed play or pause. */
    cancel,
  };
}
