/** What is known of the player of one page, and what can be asked of it. */
import type { StoreApi } from "zustand/vanilla";
import type { Following } from "./player-following";
import type { Loop, Span } from "./player-loop";

export type PlayerStatus = "empty" | "loading" | "ready" | "failed";

/** Why there is nothing to hear: the browser cannot read the file, or the file does not come. */
export type PlayerFailure = "format" | "network";

export interface PlayerState extends Following {
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
  /** Stands at this place; the text does not go there. */
  place: (seconds: number) => void;
  /** Goes, without a sound, to a place that an address asks for. */
  find: (seconds: number) => void;
  skip: (seconds: number) => void;
  setRate: (rate: number) => void;
  /** Plays this stretch over and over, from its beginning. */
  playLoop: (span: Span) => void;
  /** Plays this stretch once. */
  playOnce: (span: Span) => void;
  /** Marks an end of a loop at the present place. */
  markLoop: (end: "from" | "to") => void;
  /** Loops what is selected; else marks one end, then the other, then ends the loop. */
  cycleLoop: (selected: Span | null) => void;
  /** False when there was none. */
  endLoop: () => boolean;
  /** A key was typed in the text: for those who wish it, playing stops until 1 s after the last one. */
  typing: () => void;
}

export type PlayerStore = StoreApi<PlayerState>;

/** What the parts of the player share beyond the state that is shown. */
export interface PlayerCore {
  set: (part: Partial<PlayerState>) => void;
  get: () => PlayerState;
  media: HTMLMediaElement | null;
  askForLink: () => void;
  /** What the element plays from, and a newer link that takes its place when that interrupts nothing. */
  source: string | null;
  spare: string | null;
  /** The element has given up on its source. */
  broken: boolean;
  /** Where a new link was asked for after an error. */
  renewedAt: number | null;
  /** Where what is played once ends; null while nothing is. */
  stopAt: number | null;
  /** When it stopped; null after somebody has gone to another place since. */
  pausedAt: number | null;
}
