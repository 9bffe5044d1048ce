/** Which of a file's audio tracks sounds. A browser plays the first one, and only some let a page choose another. */

/** The part of HTML's `AudioTrackList` that is used here; most browsers have none. */
interface AudioTracks extends Iterable<{ enabled: boolean }> {
  length: number;
}

/**
 * Lets the track with this index sound and no other; false when the browser plays another one and cannot be told
 * otherwise. Before its file is known an element has no tracks, so this is asked again then.
 */
export function playTrack(media: HTMLMediaElement, wanted: number): boolean {
  const { audioTracks } = media as HTMLMediaElement & { audioTracks?: AudioTracks };
  if (!audioTracks || audioTracks.length <= wanted) {
    return wanted === 0;
  }
  [...audioTracks].forEach((track, at) => {
    track.enabled = at === wanted;
  });
  return true;
}
