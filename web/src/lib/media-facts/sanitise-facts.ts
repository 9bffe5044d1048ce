/** What a file claims, brought within bounds: its author may be careless or hostile. */
import type { MediaTrack } from "./facts";

/** More audio tracks than any film has; a select of thousands would freeze the page. */
export const MAX_TRACKS = 64;
/** Characters of a track's title. Longer ones are cut. */
const MAX_TITLE = 80;
/** Characters of a codec's name or of a language tag; the longest registered tag is 35. */
const MAX_TAG = 35;
/** A month, in seconds. What claims to be longer is damaged. */
const MAX_DURATION = 31 * 86_400;
/** More channels than a microphone array has; each costs memory when it is decoded. */
export const MAX_CHANNELS = 64;

/** What a header may say of a track, before anything is known of it. */
export interface ClaimedTrack {
  codec: unknown;
  language: unknown;
  title: unknown;
  channels: unknown;
  default: unknown;
}

/** Seconds, above 0 and no longer than a month; else null. */
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

/** One line of at most `max` characters without what cannot be seen: controls, and signs that turn
 * the direction of the page, and halves of characters. */
function cleanText(claimed: unknown, max: number): string | null {
  if (typeof claimed !== "string") {
    return null;
  }
  // Cut before it is worked on, as it may be as long as the file; a character is at most two units.
  const line = claimed
    .slice(0, max * 8)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  const characters = [...line];
  return (characters.length > max ? `${characters.slice(0, max - 1).join("")}…` : line) || null;
}

/** Index of the track whose sound is meant: the wanted one, else what the server takes: the first marked one, else the first. */
export function selectedTrack(tracks: readonly MediaTrack[], wanted: number | null): number {
  return (tracks.find(({ index }) => index === wanted) ?? tracks.find((track) => track.default) ?? tracks[0])?.index ?? 0;
}
