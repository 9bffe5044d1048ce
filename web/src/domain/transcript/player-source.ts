/** The recording's URL: links expire, and a newer one replaces them at the same position. */
import type { PlayerCore, PlayerFailure, PlayerState } from "./player-state";

/** A file that fails again within this many seconds of the last failure is damaged: a new link does not help. */
const SAME_PLACE_SECONDS = 10;

// MediaError's constants are not available where the store is tested.
const MEDIA_ERR_DECODE = 3;
const MEDIA_ERR_SRC_NOT_SUPPORTED = 4;

export interface PlayerSource extends Pick<PlayerState, "load" | "linkFailed" | "retry"> {
  /** Continues from another link at the same position, playing or paused as before. */
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
      // Usually the link has expired, which looks like any other error, even like an unreadable file.
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
      // While the old link works, the failure is not shown.
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
