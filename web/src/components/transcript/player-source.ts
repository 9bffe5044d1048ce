/** Where the recording comes from: links run out, and a newer one takes over at the same place. */
import type { PlayerCore, PlayerFailure, PlayerState } from "./player-state";

/** A file that breaks again within so many seconds of where it broke before is broken there: a new link does not help. */
const SAME_PLACE_SECONDS = 10;

// The names of MediaError's codes are not there where the store is tested.
const MEDIA_ERR_DECODE = 3;
const MEDIA_ERR_SRC_NOT_SUPPORTED = 4;

export interface PlayerSource extends Pick<PlayerState, "load" | "linkFailed" | "retry"> {
  /** Goes on from another link at the same place, sounding or not as before. */
  change: (url: string) => void;
  onError: () => void;
}

export function createSource(core: PlayerCore, start: () => void): PlayerSource {
  const { get, set } = core;
  const change = (url: string) => {
    const { media } = core;
    if (!media) {
      return;
    }
    const { time, playing } = get();
    core.source = url;
    core.spare = null;
    core.broken = false;
    set({ status: "loading", failure: null });
    media.src = url;
    if (time > 0) {
      media.currentTime = time;
    }
    if (playing) {
      start();
    }
  };
  const fail = (failure: PlayerFailure) => {
    core.media?.pause();
    set({ status: "failed", failure, playing: false, buffering: false });
  };
  return {
    change,
    onError: () => {
      core.broken = true;
      const { time, playing } = get();
      // Mostly the link has run out: that looks like any other error, even like a file that cannot be read.
      if (core.renewedAt === null || Math.abs(time - core.renewedAt) > SAME_PLACE_SECONDS) {
        core.renewedAt = time;
        set({ status: "loading", buffering: playing });
        if (core.spare) {
          change(core.spare);
        } else {
          core.askForLink();
        }
        return;
      }
      const code = core.media?.error?.code;
      fail(code === MEDIA_ERR_DECODE || code === MEDIA_ERR_SRC_NOT_SUPPORTED ? "format" : "network");
    },
    load: (url) => {
      if (core.source === null || core.broken) {
        change(url);
      } else if (url !== core.source) {
        core.spare = url;
      }
    },
    linkFailed: () => {
      // While the old link serves, nobody has to know.
      if (core.source === null || core.broken) {
        fail("network");
      }
    },
    retry: () => {
      core.renewedAt = null;
      set({ status: "loading", failure: null });
      core.askForLink();
    },
  };
}
