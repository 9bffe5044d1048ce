/**
 * The player of a transcript page: a media element, its clock, and the commands of the controls. While it plays, the
 * time is read once per frame, so that the highlight and the seek bar move smoothly; they subscribe to the store
 * directly and update the page without a React render.
 */
import { createStore } from "zustand/vanilla";
import { type Frames, listen } from "./player-events";
import { createFollowing } from "./player-following";
import { type Loop, NO_LOOP, nextLoop, withMark } from "./player-loop";
import { type PlayerPreferencesStore, playerPreferences } from "./player-preferences";
import { createSource } from "./player-source";
import type { PlayerCore, PlayerState, PlayerStore } from "./player-state";
import { createTransport } from "./player-transport";
import { createTypingPause } from "./typing-pause";

export { RATES } from "./player-preferences";
export type { PlayerFailure, PlayerState, PlayerStore } from "./player-state";

const browserFrames: Frames = (callback) => {
  const id = requestAnimationFrame(callback);
  return () => cancelAnimationFrame(id);
};

export interface PlayerEnvironment {
  frames?: Frames;
  /** Milliseconds, from an arbitrary origin. */
  now?: () => number;
  preferences?: PlayerPreferencesStore;
}

/** `knownDuration` in seconds, 0 if unknown. */
export function createPlayerStore(
  knownDuration = 0,
  { frames = browserFrames, now = () => performance.now(), preferences = playerPreferences }: PlayerEnvironment = {},
): PlayerStore {
  return createStore<PlayerState>()((set, get) => {
    const core: PlayerCore = {
      set,
      get,
      media: null,
      askForLink: () => {},
      source: null,
      spare: null,
      broken: false,
      renewedAt: null,
      stopAt: null,
      pausedAt: null,
    };
    const start = () =>
      void core.media?.play()?.catch(() => {
        // Refused (no user gesture, element removed): it stays paused, and no event reports that.
        if (core.media?.paused) {
          set({ playing: false, buffering: false });
        }
      });
    const source = createSource(core, start);
    const { moveTo, goTo, seek, find, skip, play, turn } = createTransport(core, { start, source, now, preferences });
    const typingPause = createTypingPause({
      isPlaying: () => get().playing,
      pause: () => core.media?.pause(),
      resume: play,
    });
    const setLoop = (loop: Loop) => {
      set({ loop });
      turn();
    };
    return {
      status: "empty",
      failure: null,
      playing: false,
      buffering: false,
      time: 0,
      duration: knownDuration,
      rate: preferences.getState().rate,
      loop: NO_LOOP,
      ...createFollowing(set, get),
      attach: (element, renew = () => {}) => {
        Object.assign(core, {
          media: element,
          askForLink: renew,
          source: null,
          spare: null,
          broken: false,
          stopAt: null,
          pausedAt: null,
        });
        element.preservesPitch = true;
        const onPause = () => {
          core.pausedAt = now();
        };
        const detach = listen(element, { set, get, frames, onError: source.onError, onTime: turn, onPause });
        return () => {
          detach();
          typingPause.cancel();
          core.media = null;
          set({ status: "empty", failure: null, playing: false, buffering: false });
        };
      },
      load: source.load,
      linkFailed: source.linkFailed,
      retry: source.retry,
      toggle: () => {
        const { media, broken } = core;
        if (!media) {
          return;
        }
        typingPause.cancel();
        core.stopAt = null;
        if (broken && get().playing) {
          set({ playing: false, buffering: false });
        } else if (broken || media.paused) {
          play();
        } else {
          media.pause();
        }
      },
      playFrom: (seconds) => {
        typingPause.cancel();
        seek(seconds);
        play();
      },
      seek,
      place: (seconds) => moveTo(seconds),
      find,
      skip,
      setRate: (rate) => {
        if (core.media) {
          core.media.playbackRate = rate;
        }
        set({ rate });
        preferences.getState().prefer({ rate });
      },
      playLoop: (span) => {
        set({ loop: { span, marked: null } });
        goTo(span.from);
        play();
      },
      playOnce: (span) => {
        typingPause.cancel();
        set({ loop: NO_LOOP });
        goTo(span.from);
        core.stopAt = span.to;
        play();
      },
      markLoop: (end) => setLoop(withMark(get().loop, end, get().time)),
      cycleLoop: (selected) => {
        if (selected) {
          get().playLoop(selected);
        } else {
          setLoop(nextLoop(get().loop, get().time));
        }
      },
      endLoop: () => {
        const { span, marked } = get().loop;
        set({ loop: NO_LOOP });
        return span !== null || marked !== null;
      },
      typing: () => {
        if (preferences.getState().pauseWhileTyping) {
          typingPause.typed();
        }
      },
    };
  });
}

export const selectPlaying = (state: PlayerState) => state.playing;
export const selectBuffering = (state: PlayerState) => state.buffering;
export const selectFailure = (state: PlayerState) => state.failure;
export const selectDuration = (state: PlayerState) => state.duration;
export const selectLoop = (state: PlayerState) => state.loop;
export const selectRate = (state: PlayerState) => state.rate;
