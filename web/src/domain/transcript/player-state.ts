/** State and commands of one page's player. */
import type { StoreApi } from "zustand/vanilla";
import type { FollowingState } from "./player-following";
import type { Loop, Span } from "./player-loop";

export type PlayerStatus = "empty" | "loading" | "ready" | "failed";

/** Why playback is impossible: the browser cannot decode the file, or the file cannot be loaded. */
export type PlayerFailure = "format" | "network";

export interface PlayerState extends FollowingState {
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
  loop: Loop;
  /** `renew` requests a new link to the recording; it arrives by `load`, or `linkFailed` reports that there is none. */
  attach: (media: HTMLMediaElement, renew?: () => void) => () => void;
  /** Takes a link to the recording. One that comes while an older one still serves is kept for later. */
  load: (url: string) => void;
  linkFailed: () => void;
  /** The reader asks to try again after a failure. */
  retry: () => void;
  toggle: () => void;
  playFrom: (seconds: number) => void;
  seek: (seconds: number) => void;
  /** Moves to this position without scrolling the text. */
  place: (seconds: number) => void;
  /** Seeks, paused, to a position requested by the URL. */
  find: (seconds: number) => void;
  skip: (seconds: number) => void;
  setRate: (rate: number) => void;
  /** Loops this range from its beginning. */
  playLoop: (span: Span) => void;
  /** Plays this range once. */
  playOnce: (span: Span) => void;
  /** Marks an end of a loop at the current position. */
  markLoop: (end: "from" | "to") => void;
  /** Loops the selection; without one marks one end, then the other, then ends the loop. */
  cycleLoop: (selected: Span | null) => void;
  /** False when there was none. */
  endLoop: () => boolean;
  /** A key was typed in the text: if the preference is on, playback pauses until 1 s after the last one. */
  typing: () => void;
}

export type PlayerStore = StoreApi<PlayerState>;

/** Internal state shared by the parts of the player. */
export interface PlayerCore {
  set: (part: Partial<PlayerState>) => void;
  get: () => PlayerState;
  media: HTMLMediaElement | null;
  askForLink: () => void;
  /** What the element plays from, and a newer link that takes its place when that interrupts nothing. */
  source: string | null;
  spare: string | null;
  /** The element has reported an error for its source. */
  broken: boolean;
  /** Position at which a new link was requested after an error. */
  renewedAt: number | null;
  /** End of the range that is played once; null otherwise. */
  stopAt: number | null;
  /** When it was paused; null if there was a seek since. */
  pausedAt: number | null;
}
