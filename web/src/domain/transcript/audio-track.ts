/** Selects the audio track to play. Browsers play the first one; only some let a page choose another. */

/** The part of HTML's `AudioTrackList` that is used here; most browsers have none. */
interface AudioTracks extends Iterable<{ enabled: boolean }> {
  length: number;
}

/**
 * Enables only the track with this index. Returns false when the browser plays another one and offers no choice.
 * Before its metadata is loaded an element has no tracks, so call this again after that.
 */
export function playTrack(media: HTMLMediaElement, index: number): boolean {
  const { audioTracks } = media as HTMLMediaElement & { audioTracks?: AudioTracks };
  if (!audioTracks || audioTracks.length <= index) {
    return index === 0;
  }
  [...audioTracks].forEach((track, at) => {
    track.enabled = at === index;
  });
  return true;
}
