/**
 * The player of one transcript page: a media element, its clock, and what the controls can ask of it. While it plays the
 * time is read once a frame, so that the highlight and the seek bar move evenly; they subscribe to the store directly and
 * write to the page without a React render.
 */
import { createStore, type StoreApi } from "zustand/vanilla";

export type PlayerStatus = "empty" | "loading" | "ready" | "failed";

/** Why there is nothing to hear: the browser cannot read the file, or the file does not come. */
export type PlayerFailure = "format" | "network";

export interface PlayerState {
  status: PlayerStatus;
  /** Set while the status is `failed`. */
  failure: PlayerFailure | null;
  playing: boolean;
  /** Waiting for data while it should be playing. */
  buffering: boolean;
  /** Seconds from the start of the recording. */
  time: number;
  /** Length in seconds, 0 while unknown. */
  duration: number;
  rate: number;
  /** `renew` asks for a new link to the recording; it comes by `load`, or `linkFailed` says that there is none. */
  attach: (media: HTMLMediaElement, renew?: () => void) => () => void;
  /** Takes a link to the recording. One that comes while an older one still serves is kept for later. */
  load: (url: string) => void;
  linkFailed: () => void;
  /** The reader asks to try again after a failure. */
  retry: () => void;
  toggle: () => void;
  playFrom: (seconds: number) => void;
  seek: (seconds: number) => void;
  skip: (seconds: number) => void;
  setRate: (rate: number) => void;
}

export type PlayerStore = StoreApi<PlayerState>;

/** Calls back before the next repaint; returns how to call it off. */
export type Frames = (callback: () => void) => () => void;

/** A file that breaks again within so many seconds of where it broke before is broken there: a new link does not help. */
const SAME_PLACE_SECONDS = 10;

export const RATES = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2] as const;

const browserFrames: Frames = (callback) => {
  const id = requestAnimationFrame(callback);
  return () => cancelAnimationFrame(id);
};

export function createPlayerStore(knownDuration = 0, frames: Frames = browserFrames): PlayerStore {
  let media: HTMLMediaElement | null = null;
  let askForLink = () => {};
  /** What the element plays from, and a newer link that takes its place when that interrupts nothing. */
  let source: string | null = null;
  let spare: string | null = null;
  /** The element has given up on its source. */
  let broken = false;
  /** Where a new link was asked for after an error. */
  let renewedAt: number | null = null;
  return createStore<PlayerState>()((set, get) => {
    const clamp = (seconds: number) => {
      const end = get().duration;
      return Math.max(0, end > 0 ? Math.min(seconds, end) : seconds);
    };
    const seek = (seconds: number) => {
      const time = clamp(seconds);
      renewedAt = null;
      if (media) {
        media.currentTime = time;
      }
      set({ time });
    };
    const start = () =>
      void media?.play()?.catch(() => {
        // Refused (no user gesture, element gone): it stays paused, and no event says so.
        if (media?.paused) {
          set({ playing: false, buffering: false });
        }
      });
    /** Goes on from another link at the same place, sounding or not as before. */
    const change = (url: string) => {
      if (!media) {
        return;
      }
      const { time, playing } = get();
      source = url;
      spare = null;
      broken = false;
      set({ status: "loading", failure: null });
      media.src = url;
      if (time > 0) {
        media.currentTime = time;
      }
      if (playing) {
        start();
      }
    };
    const play = () => {
      if (get().status === "failed") {
        return;
      }
      if (broken) {
        // The new link on its way will play.
        set({ playing: true, buffering: true });
        return;
      }
      renewedAt = null;
      if (spare) {
        change(spare);
      }
      start();
    };
    const fail = (failure: PlayerFailure) => {
      media?.pause();
      set({ status: "failed", failure, playing: false, buffering: false });
    };
    const onError = () => {
      broken = true;
      const { time, playing } = get();
      // Mostly the link has run out: that looks like any other error, even like a file that cannot be read.
      if (renewedAt === null || Math.abs(time - renewedAt) > SAME_PLACE_SECONDS) {
        renewedAt = time;
        set({ status: "loading", buffering: playing });
        if (spare) {
          change(spare);
        } else {
          askForLink();
        }
        return;
      }
      const code = media?.error?.code;
      fail(code === MEDIA_ERR_DECODE || code === MEDIA_ERR_SRC_NOT_SUPPORTED ? "format" : "network");
    };
    return {
      status: "empty",
      failure: null,
      playing: false,
      buffering: false,
      time: 0,
      duration: knownDuration,
      rate: 1,
      attach: (element, renew = () => {}) => {
        media = element;
        askForLink = renew;
        source = null;
        spare = null;
        broken = false;
        const detach = listen(element, set, get, frames, onError);
        return () => {
          detach();
          media = null;
          set({ status: "empty", failure: null, playing: false, buffering: false });
        };
      },
      load: (url) => {
        if (source === null || broken) {
          change(url);
        } else if (url !== source) {
          spare = url;
        }
      },
      linkFailed: () => {
        // While the old link serves, nobody has to know.
        if (source === null || broken) {
          fail("network");
        }
      },
      retry: () => {
        renewedAt = null;
        set({ status: "loading", failure: null });
        askForLink();
      },
      toggle: () => {
        if (!media) {
          return;
        }
        if (broken && get().playing) {
          set({ playing: false, buffering: false });
        } else if (broken || media.paused) {
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
      skip: (seconds) => seek((broken || !media || media.readyState === 0 ? get().time : media.currentTime) + seconds),
      setRate: (rate) => {
        if (media) {
          media.playbackRate = rate;
        }
        set({ rate });
      },
    };
  });
}

// The names of MediaError's codes are not there where the store is tested.
const MEDIA_ERR_DECODE = 3;
const MEDIA_ERR_SRC_NOT_SUPPORTED = 4;

function listen(
  media: HTMLMediaElement,
  set: (part: Partial<PlayerState>) => void,
  get: () => PlayerState,
  frames: Frames,
  onError: () => void,
): () => void {
  let stopClock = () => {};
  // Until a file is known the element may say 0, and the place to go on from would be lost.
  const place = () => (media.readyState === 0 ? get().time : media.currentTime);
  const readClock = () => {
    set({ time: place() });
    stopClock = frames(readClock);
  };
  const handlers: Record<string, () => void> = {
    loadstart: () => set({ status: "loading" }),
    loadedmetadata: () => {
      // Streams without a length in their header report Infinity; the length that the server measured stays then.
      const duration = Number.isFinite(media.duration) ? media.duration : get().duration;
      media.playbackRate = get().rate;
      // A place set before the file was known is kept by most browsers, not by all.
      const { time } = get();
      if (Math.abs(media.currentTime - time) > 1) {
        media.currentTime = time;
      }
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
      set({ playing: false, buffering: false, time: place() });
    },
    ended: () => {
      stopClock();
      set({ playing: false, buffering: false, time: place() });
    },
    waiting: () => set({ buffering: true }),
    playing: () => set({ buffering: false }),
    seeked: () => set({ time: place() }),
    error: () => {
      stopClock();
      onError();
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
export const selectFailure = (state: PlayerState) => state.failure;
export const selectDuration = (state: PlayerState) => state.duration;
export const selectRate = (state: PlayerState) => state.rate;
