/**
 * Keeps where somebody listens: a moment after they stop or go elsewhere, now and then while it plays, and at once when
 * they leave. What they have only been shown, by an address or because they stopped there, is not kept again.
 */
import type { PlayerState, PlayerStore } from "@/domain/transcript/player-store";

/** Between two requests while it plays, and after it has stopped or somebody went elsewhere, in ms. */
export const PLAYING_MS = 10_000;
export const RESTING_MS = 1_500;
/** Less is the same place, in seconds. */
const SAME_SECONDS = 1;
/** If this near to the end, in seconds, the next playback starts from the beginning. */
const END_SECONDS = 1;

type Keep = (seconds: number, leaving: boolean) => Promise<unknown>;

export interface PlaceKeeper {
  /** Where the reader stopped the last time. */
  began: (seconds: number) => void;
  /** Keeps the place now: the page is being left. */
  leave: () => void;
  stop: () => void;
}

export function createPlaceKeeper(player: PlayerStore, keep: Keep): PlaceKeeper {
  let kept = 0;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let soon = false;
  let sending = false;

  const cancel = () => {
    if (timer !== null) {
      clearTimeout(timer);
    }
    timer = null;
  };
  const isNew = (place: number) => Math.abs(place - kept) >= SAME_SECONDS;

  const send = (leaving: boolean) => {
    cancel();
    const place = placeOf(player.getState());
    if (!isNew(place)) {
      return;
    }
    const before = kept;
    kept = place;
    sending = true;
    const done = (taken: boolean) => {
      sending = false;
      if (!taken && kept === place) {
        // It is kept with the next change.
        kept = before;
      }
    };
    keep(place, leaving).then(
      () => done(true),
      () => done(false),
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
      kept = seconds;
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

/** To a tenth of a second; the end counts as the beginning. */
function placeOf({ time, duration }: PlayerState): number {
  const ended = duration > 0 && time >= duration - END_SECONDS;
  return ended ? 0 : Math.round(time * 10) / 10;
}
