/** Facts read from a file before the server has seen it. Untrusted: the server inspects the file again. */

/** An audio track as its header describes it. The tracks that the server found fit as well. */
export interface MediaTrack {
  /** Place among the audio tracks, from 0: what a job names as `audio_track`. */
  index: number;
  /** Lower case, for example `aac`; empty where it is unknown. */
  codec: string;
  /** Language tag as the file has it, for example `uk` or `ukr`. */
  language?: string | null;
  /** The name that the file gives it: one line. */
  title?: string | null;
  /** 0 where unknown. */
  channels: number;
  /** Whether the file marks it as one to play. */
  default: boolean;
}

export interface MediaFacts {
  /** Seconds; null where the file does not tell. */
  duration: number | null;
  /** Empty if the file cannot be read here. */
  tracks: readonly MediaTrack[];
  /** Loudness along the recording, each 0 to 1, evenly spread over its duration; null where it cannot be told. */
  peaks: readonly number[] | null;
}

/** Of a file that cannot be read, or has not been yet. */
export const NO_FACTS: MediaFacts = { duration: null, tracks: [], peaks: null };
