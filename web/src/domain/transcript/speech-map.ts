/** Where in a recording there is speech, and how dense: drawn by the seek bar in place of a waveform. */
import type { SpokenSegment } from "./model";

/** Speech density, relative to the densest range (0 to 1), for each of `count` equal ranges of the recording. */
export function speechMap(segments: readonly SpokenSegment[], duration: number, count: number): number[] {
  const density = new Array<number>(count).fill(0);
  if (duration <= 0) {
    return density;
  }
  const width = duration / count;
  const spread = (start: number, end: number, letters: number) => {
    const length = Math.max(end - start, 0.05);
    const first = Math.max(0, Math.floor(start / width));
    const last = Math.min(count - 1, Math.floor((start + length) / width));
    for (let at = first; at <= last; at += 1) {
      const overlap = Math.min(start + length, (at + 1) * width) - Math.max(start, at * width);
      density[at] = (density[at] ?? 0) + letters * (Math.max(0, overlap) / length);
    }
  };
  for (const segment of segments) {
    // Where a range is longer than a sentence, all words of the sentence still lie in it.
    if (segment.words.length === 0 || segment.end - segment.start <= width) {
      spread(segment.start, segment.end, segment.text.length);
    } else {
      for (const word of segment.words) {
        spread(word.start, word.end, word.text.length);
      }
    }
  }
  const densest = density.reduce((most, value) => Math.max(most, value), 0);
  return densest === 0 ? density : density.map((value) => value / densest);
}
