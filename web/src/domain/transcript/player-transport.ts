/** Playing, pausing and moving in the recording. */
import { clampToLoop, leavesLoop, NO_LOOP } from "./player-loop";
import type { PlayerPreferencesStore } from "./player-preferences";
import type { PlayerSource } from "./player-source";
import type { PlayerCore, PlayerState } from "./player-state";

/** After a pause longer than this, in ms, playback resumes slightly earlier. */
const LONG_PAUSE_MS = 2_000;

/** Distance before a range's end, in seconds, that still counts as inside. */
const INSIDE = 0.01;

interface TransportOptions {
  start: () => void;
  source: PlayerSource;
  now: () => number;
  preferences: PlayerPreferencesStore;
}

export function createTransport(core: PlayerCore, { start, source, now, preferences }: TransportOptions) {
  const { get, set } = core;
  const clamp = (seconds: number) => {
    const end = get().duration;
    return Math.max(0, end > 0 ? Math.min(seconds, end) : seconds);
  };
  const moveTo = (seconds: number, more: Partial<PlayerState> = {}) => {
    const time = clamp(seconds);
    core.renewedAt = null;
    core.pausedAt = null;
    core.stopAt = null;
    if (core.media) {
      core.media.currentTime = time;
    }
    set({ time, ...more });
  };
  /** The reader seeks there. */
  const goTo = (seconds: number, more: Partial<PlayerState> = {}) => moveTo(seconds, { seeks: get().seeks + 1, ...more });
  return {
    moveTo,
    goTo,

    /** Seeking outside the loop ends it. */
    seek: (seconds: number) => {
      if (leavesLoop(get().loop, clamp(seconds))) {
        set({ loop: NO_LOOP });
      }
      goTo(seconds);
    },

    find: (seconds: number) => {
      core.media?.pause();
      set({ playing: false, buffering: false });
      goTo(seconds, { loop: NO_LOOP, found: clamp(seconds) });
    },

    skip: (seconds: number) => {
      const { media, broken } = core;
      const time = broken || !media || media.readyState === 0 ? get().time : media.currentTime;
      goTo(clampToLoop(get().loop, time + seconds));
    },

    play: () => {
      if (get().status === "failed") {
        return;
      }
      if (core.broken) {
        // The new link will play once it has arrived.
        set({ playing: true, buffering: true });
        return;
      }
      const { stepBack } = preferences.getState();
      if (core.pausedAt !== null && !core.media?.ended && now() - core.pausedAt > LONG_PAUSE_MS && stepBack > 0) {
        moveTo(clampToLoop(get().loop, get().time - stepBack));
      }
      core.renewedAt = null;
      if (core.spare) {
        source.change(core.spare);
      }
      start();
    },

    /** Restarts the loop at its end; returns whether it did. `ended`: the recording has ended. */
    turn: (ended = false): boolean => {
      const { loop, playing, time } = get();
      if (core.stopAt !== null && playing && (time >= core.stopAt || ended)) {
        const end = core.stopAt;
        core.media?.pause();
        // Stay inside the played range: the next line may begin where it ends.
        moveTo(Math.min(time, end - INSIDE));
        return false;
      }
      if (!loop.span || !playing || (time < loop.span.to && !ended)) {
        return false;
      }
      moveTo(loop.span.from);
      if (ended) {
        start();
      }
      return true;
    },
  };
}
