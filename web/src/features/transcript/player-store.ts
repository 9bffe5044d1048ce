/**
 * The player of one transcript page: a media element, its clock, and what the controls can ask of it. While it plays the
 * time is read once a frame, so that the highlight and the seek bar move evenly; they subscribe to the store directly and
 * write to the page without a React render.
 */
import { createStore, type StoreApi } from "zustand/vanilla";

export type PlayerStatus = "empty" | "loading" | "ready" | "failed";

export interface PlayerState {
  status: PlayerStatus;
  playing: boolean;
  /** Waiting for data while it should be playing. */
  buffering: boolean;
  /** Seconds from the start of the recording. */
  time: number;
  /** Length in seconds, 0 while unknown. */
  duration: number;
  rate: number;
  attach: (media: HTMLMediaElement) => () => void;
  toggle: () => void;
  playFrom: (seconds: number) => void;
  seek: (seconds: number) => void;
  skip: (seconds: number) => void;
  setRate: (rate: number) => void;
}

export type PlayerStore = StoreApi<PlayerState>;

/** Calls back before the next repaint; returns how to call it off. */
export type Frames = (callback: () => void) => () => void;

export const RATES = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2] as const;

const browserFrames: Frames = (callback) => {
  const id = requestAnimationFrame(callback);
  return () => cancelAnimationFrame(id);
};

export function createPlayerStore(knownDuration = 0, frames: Frames = browserFrames): PlayerStore {
  let media: HTMLMediaElement | null = null;
  return createStore<PlayerState>()((set, get) => {
    const clamp = (seconds: number) => {
      const end = get().duration;
      return Math.max(0, end > 0 ? Math.min(seconds, end) : seconds);
    };
    const seek = (seconds: number) => {
      const time = clamp(seconds);
      if (media) {
        media.currentTime = time;
      }
      set({ time });
    };
    // A refused play() (no user gesture, element gone) leaves the element paused, and its events say so.
    const play = () => void media?.play()?.catch(() => {});
    return {
      status: "empty",
      playing: false,
      buffering: false,
      time: 0,
      duration: knownDuration,
      rate: 1,
      attach: (element) => {
        media = element;
        const detach = listen(element, set, get, frames);
        return () => {
          detach();
          media = null;
          set({ status: "empty", playing: false, buffering: false });
        };
      },
      toggle: () => {
        if (!media) {
          return;
        }
        if (media.paused) {
          play();
        } else {
          media.pause();
        }
      },
      playFrom: (seconds) => {
        seek(seconds);
        play();
      },
      seek,
      skip: (seconds) => seek((media?.currentTime ?? get().time) + seconds),
      setRate: (rate) => {
        if (media) {
          media.playbackRate = rate;
        }
        set({ rate });
      },
    };
  });
}

function listen(
  media: HTMLMediaElement,
  set: (part: Partial<PlayerState>) => void,
  get: () => PlayerState,
  frames: Frames,
): () => void {
  let stopClock = () => {};
  const readClock = () => {
    set({ time: media.currentTime });
    stopClock = frames(readClock);
  };
  const handlers: Record<string, () => void> = {
    loadstart: () => set({ status: "loading" }),
    loadedmetadata: () => {
      // Streams without a length in their header report Infinity; the length that the server measured stays then.
      const duration = Number.isFinite(media.duration) ? media.duration : get().duration;
      media.playbackRate = get().rate;
      set({ status: "ready", duration });
    },
    durationchange: () => {
      if (Number.isFinite(media.duration)) {
        set({ duration: media.duration });
      }
    },
    play: () => {
      stopClock();
      set({ playing: true });
      readClock();
    },
    pause: () => {
      stopClock();
      set({ playing: false, buffering: false, time: media.currentTime });
    },
    ended: () => {
      stopClock();
      set({ playing: false, buffering: false, time: media.currentTime });
    },
    waiting: () => set({ buffering: true }),
    playing: () => set({ buffering: false }),
    seeked: () => set({ time: media.currentTime }),
    error: () => {
      stopClock();
      set({ status: "failed", playing: false, buffering: false });
    },
  };
  for (const [name, handler] of Object.entries(handlers)) {
    media.addEventListener(name, handler);
  }
  return () => {
    stopClock();
    for (const [name, handler] of Object.entries(handlers)) {
      media.removeEventListener(name, handler);
    }
  };
}

export const selectPlaying = (state: PlayerState) => state.playing;
export const selectBuffering = (state: PlayerState) => state.buffering;
export const selectStatus = (state: PlayerState) => state.status;
export const selectDuration = (state: PlayerState) => state.duration;
export const selectRate = (state: PlayerState) => state.rate;
