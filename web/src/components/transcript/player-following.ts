/** What the text does while the recording sounds: it goes with the voice until the reader goes elsewhere. */
import type { PlayerState } from "./player-state";

export interface Following {
  /** The text goes with the voice. */
  following: boolean;
  /** Somebody writes: the text stays where it is. */
  held: boolean;
  /** The second that an address has asked for, while the voice is still in its line; null otherwise. */
  found: number | null;
  /** How often the reader has gone to another place of the recording. */
  seeks: number;
  follow: (following: boolean) => void;
  hold: (held: boolean) => void;
  /** The reader has moved on from what was found. */
  leaveFound: () => void;
}

export const createFollowing = (set: (part: Partial<PlayerState>) => void, get: () => PlayerState): Following => ({
  following: true,
  held: false,
  found: null,
  seeks: 0,
  follow: (following) => {
    if (following !== get().following) {
      set({ following });
    }
  },
  hold: (held) => {
    if (held !== get().held) {
      set({ held });
    }
  },
  leaveFound: () => {
    if (get().found !== null) {
      set({ found: null });
    }
  },
});

/** There is a place to come back to: the recording has begun, and the reader has gone elsewhere. */
export const selectAway = ({ following, held, playing, time }: PlayerState): boolean =>
  !following && !held && (playing || time > 0);
