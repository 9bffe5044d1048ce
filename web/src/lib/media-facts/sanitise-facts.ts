/** Limits the metadata of a file, which is untrusted. */
import type { MediaTrack } from "./facts";

/** More audio tracks than any film has; a list of thousands would freeze the page. */
export const MAX_TRACKS = 64;
/** Longest title of a track, in characters; longer ones are cut. */
const MAX_TITLE = 80;
/** Longest codec name or language tag, in characters; the longest registered tag has 35. */
const MAX_TAG = 35;
/** A month, in seconds; a longer duration is an error in the file. */
const MAX_DURATION = 31 * 86_400;
/** More channels than a microphone array has; each needs memory while decoding. */
export const MAX_CHANNELS = 64;

/** Unchecked metadata of a track. */
export interface ClaimedTrack {
  codec: unknown;
  language: unknown;
  title: unknown;
  channels: unknown;
  default: unknown;
}

/** In seconds, above 0 and at most a month; else null. */
export function cleanDuration(claimed: unknown): number | null {
  return typeof claimed === "number" && claimed > 0 && claimed <= MAX_DURATION ? claimed : null;
}

export function cleanTrack(claimed: ClaimedTrack, index: number): MediaTrack {
  const { channels } = claimed;
  const language = cleanText(claimed.language, MAX_TAG);
  return {
    index,
    codec: (cleanText(claimed.codec, MAX_TAG) ?? "").toLowerCase(),
    language: language === "und" ? null : language,
    title: cleanText(claimed.title, MAX_TITLE),
    channels:
      typeof channels === "number" && Number.isInteger(channels) && channels > 0 && channels <= MAX_CHANNELS ? channels : 0,
    default: claimed.default === true,
  };
}

/**
 * One line of at most `max` characters, without control characters, marks that change the writing direction, and lone
 * surrogates.
 */
function cleanText(claimed: unknown, max: number): string | null {
  if (typeof claimed !== "string") {
    return null;
  }
  // Cut first because it may be as long as the file; a character has at most two units.
  const line = claimed
    .slice(0, max * 8)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  const characters = [...line];
  return (characters.length > max ? `${characters.slice(0, max - 1).join("")}…` : line) || null;
}

/** Index of the requested track, else of the server's default: the first track marked as default, else the first. */
export function selectedTrack(tracks: readonly MediaTrack[], requested: number | null): number {
  return (tracks.find(({ index }) => index === requested) ?? tracks.find((track) => track.default) ?? tracks[0])?.index ?? 0;
}
