/** Whether the text scrolls with playback: it does until the reader goes elsewhere. */
import type { PlayerState } from "./player-state";

export interface FollowingState {
  /** The text follows playback. */
  following: boolean;
  /** The user is typing: the text does not scroll. */
  held: boolean;
  /** The time in seconds requested by the URL, while playback is still in its line; null otherwise. */
  found: number | null;
  /** How often the reader has sought to another position. */
  seeks: number;
  follow: (following: boolean) => void;
  hold: (held: boolean) => void;
  /** The reader has moved on from the search hit. */
  leaveFound: () => void;
}

export const createFollowing = (set: (part: Partial<PlayerState>) => void, get: () => PlayerState): FollowingState => ({
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

/** There is a position to return to: playback has begun, and the reader has gone elsewhere. */
export const selectScrolledAway = ({ following, held, playing, time }: PlayerState): boolean =>
  !following && !held && (playing || time > 0);
