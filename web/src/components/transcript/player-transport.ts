/** Playing, pausing and moving in the recording. */
import { leaves, NO_LOOP, within } from "./player-loop";
import type { PlayerPreferencesStore } from "./player-preferences";
import type { PlayerSource } from "./player-source";
import type { PlayerCore, PlayerState } from "./player-state";

/** After a longer pause, in ms, one goes on a little before where one stopped. */
const LONG_PAUSE_MS = 2_000;

/** So much before its end, in seconds, one is still in a stretch. */
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
  /** The reader goes there. */
  const goTo = (seconds: number, more: Partial<PlayerState> = {}) => moveTo(seconds, { seeks: get().seeks + 1, ...more });
  return {
    moveTo,
    goTo,

    /** Who goes elsewhere leaves the loop. */
    seek: (seconds: number) => {
      if (leaves(get().loop, clamp(seconds))) {
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
      goTo(within(get().loop, time + seconds));
    },

    play: () => {
      if (get().status === "failed") {
        return;
      }
      if (core.broken) {
        // The new link on its way will play.
        set({ playing: true, buffering: true });
        return;
      }
      const { stepBack } = preferences.getState();
      if (core.pausedAt !== null && !core.media?.ended && now() - core.pausedAt > LONG_PAUSE_MS && stepBack > 0) {
        moveTo(within(get().loop, get().time - stepBack));
      }
      core.renewedAt = null;
      if (core.spare) {
        source.change(core.spare);
      }
      start();
    },

    /** At the end of a loop it begins again; says whether it did. `ended`: the recording has come to its end. */
    turn: (ended = false): boolean => {
      const { loop, playing, time } = get();
      if (core.stopAt !== null && playing && (time >= core.stopAt || ended)) {
        const end = core.stopAt;
        core.media?.pause();
        // Still in what was played: the next line may begin where it ends.
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
