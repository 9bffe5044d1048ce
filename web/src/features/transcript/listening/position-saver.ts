/**
 * Stores the playback position: shortly after a pause or seek, at intervals during playback, and when the page is
 * closed. Positions set by the URL, or restored from storage, are not stored again.
 */
import type { PlayerState, PlayerStore } from "@/domain/transcript/player-store";

/** Intervals in ms: during playback, and after a pause or seek. */
export const PLAYING_MS = 10_000;
export const RESTING_MS = 1_500;
/** Smaller differences in seconds count as the same position. */
const SAME_SECONDS = 1;
/** If this near to the end, in seconds, the next playback starts from the beginning. */
const END_SECONDS = 1;

type StorePosition = (seconds: number, leaving: boolean) => Promise<unknown>;

export interface PositionSaver {
  /** Sets the stored position from the last visit. */
  began: (seconds: number) => void;
  /** Stores the position at once: the page is being closed. */
  leave: () => void;
  stop: () => void;
}

export function createPositionSaver(player: PlayerStore, keep: StorePosition): PositionSaver {
  let saved = 0;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let soon = false;
  let sending = false;

  const cancel = () => {
    if (timer !== null) {
      clearTimeout(timer);
    }
    timer = null;
  };
  const isNew = (place: number) => Math.abs(place - saved) >= SAME_SECONDS;

  const send = (leaving: boolean) => {
    cancel();
    const place = placeOf(player.getState());
    if (!isNew(place)) {
      return;
    }
    const before = saved;
    saved = place;
    sending = true;
    const finish = (taken: boolean) => {
      sending = false;
      if (!taken && saved === place) {
        // It is stored with the next change.
        saved = before;
      }
    };
    keep(place, leaving).then(
      () => finish(true),
      () => finish(false),
    );
  };

  const plan = (state: PlayerState) => {
    const resting = !state.playing;
    if (state.found !== null && resting) {
      return;
    }
    if (!isNew(placeOf(state)) || (timer !== null && (soon || !resting))) {
      return;
    }
    cancel();
    soon = resting;
    timer = setTimeout(
      () => {
        timer = null;
        if (sending) {
          plan(player.getState());
        } else {
          send(false);
        }
      },
      resting ? RESTING_MS : PLAYING_MS,
    );
  };

  const unsubscribe = player.subscribe((state, before) => {
    // Another seek restarts the wait.
    if (state.seeks !== before.seeks && soon) {
      cancel();
    }
    plan(state);
  });
  return {
    began: (seconds) => {
      saved = seconds;
    },
    leave: () => {
      const { found, playing } = player.getState();
      if (found === null || playing) {
        send(true);
      }
    },
    stop: () => {
      unsubscribe();
      cancel();
    },
  };
}

/** In tenths of a second; the end counts as the beginning. */
function placeOf({ time, duration }: PlayerState): number {
  const ended = duration > 0 && time >= duration - END_SECONDS;
  return ended ? 0 : Math.round(time * 10) / 10;
}
