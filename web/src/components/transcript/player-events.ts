/** What the media element tells: its clock is read once a frame while it plays. */
import type { PlayerState } from "./player-state";

/** Calls back before the next repaint; returns how to call it off. */
export type Frames = (callback: () => void) => () => void;

/** How far an element may be from where it was told to go, in seconds. */
const ROUNDING = 0.05;

interface Listener {
  set: (part: Partial<PlayerState>) => void;
  get: () => PlayerState;
  frames: Frames;
  onError: () => void;
  /** The time has moved on while it plays; true when that has begun a loop again. */
  onTime: (ended?: boolean) => boolean;
  onPause: () => void;
}

/** Listens until what it returns is called. */
export function listen(media: HTMLMediaElement, { set, get, frames, onError, onTime, onPause }: Listener): () => void {
  let stopClock = () => {};
  // Until a file is known the element may say 0, and the place to go on from would be lost.
  const place = () => (media.readyState === 0 ? get().time : media.currentTime);
  // Elements round what they are told: a little before a word is another word.
  const near = () => (Math.abs(place() - get().time) > ROUNDING ? place() : get().time);
  const readClock = () => {
    set({ time: place() });
    onTime();
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
      // The end comes as a pause first; a loop goes on from there.
      if (media.ended) {
        return;
      }
      // Who was taken to another place has not stopped there.
      if (get().playing) {
        onPause();
      }
      set({ playing: false, buffering: false, time: near() });
    },
    ended: () => {
      stopClock();
      set({ time: place() });
      if (!onTime(true)) {
        set({ playing: false, buffering: false });
      }
    },
    timeupdate: () => {
      // In a tab out of sight there are no frames.
      if (get().playing) {
        set({ time: place() });
        onTime();
      }
    },
    waiting: () => set({ buffering: true }),
    playing: () => set({ buffering: false }),
    seeked: () => set({ time: get().playing ? place() : near() }),
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
