/** Facts read from a file before the server has seen it. Untrusted: the server inspects the file again. */

/** An audio track as described by its header. The server's description of tracks is compatible. */
export interface MediaTrack {
  /** Index among the audio tracks, from 0: the `audio_track` of a job. */
  index: number;
  /** In lower case, for example `aac`; empty if unknown. */
  codec: string;
  /** The language tag from the file, for example `uk` or `ukr`. */
  language?: string | null;
  /** The track's title from the file: one line. */
  title?: string | null;
  /** 0 if unknown. */
  channels: number;
  /** Whether the file marks it as a default track. */
  default: boolean;
}

export interface MediaFacts {
  /** In seconds; null if unknown. */
  duration: number | null;
  /** Empty if the file cannot be read here. */
  tracks: readonly MediaTrack[];
  /** Loudness of equal parts of the recording, 0 to 1; null if unknown. */
  peaks: readonly number[] | null;
}

/** The facts of a file that cannot be read or has not been read yet. */
export const NO_FACTS: MediaFacts = { duration: null, tracks: [], peaks: null };
