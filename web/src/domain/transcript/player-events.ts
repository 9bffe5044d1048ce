/** Handles events of the media element; reads its clock once per frame while it plays. */
import type { PlayerState } from "./player-state";

/** Calls back before the next repaint; returns the cancel function. */
export type Frames = (callback: () => void) => () => void;

/** Tolerance between the requested and the actual position, in seconds. */
const ROUNDING = 0.05;

interface Listener {
  set: (part: Partial<PlayerState>) => void;
  get: () => PlayerState;
  frames: Frames;
  onError: () => void;
  /** The time has advanced while playing; true when that has restarted a loop. */
  onTime: (ended?: boolean) => boolean;
  onPause: () => void;
}

/** Listens until the returned function is called. */
export function listen(media: HTMLMediaElement, { set, get, frames, onError, onTime, onPause }: Listener): () => void {
  let stopClock = () => {};
  // Before its metadata is loaded the element may report 0, which would lose the position to resume from.
  const place = () => (media.readyState === 0 ? get().time : media.currentTime);
  // Elements round positions: slightly earlier can be another word.
  const near = () => (Math.abs(place() - get().time) > ROUNDING ? place() : get().time);
  const readClock = () => {
    set({ time: place() });
    onTime();
    stopClock = frames(readClock);
  };
  const handlers: Record<string, () => void> = {
    loadstart: () => set({ status: "loading" }),
    loadedmetadata: () => {
      // Streams without a length in their header report Infinity; the server's duration is kept then.
      const duration = Number.isFinite(media.duration) ? media.duration : get().duration;
      media.playbackRate = get().rate;
      // Most but not all browsers keep a position set before the metadata was loaded.
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
      // At the end a pause event comes first; a loop restarts there.
      if (media.ended) {
        return;
      }
      // A seek is not a pause at the new position.
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
      // In a hidden tab there are no animation frames.
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
