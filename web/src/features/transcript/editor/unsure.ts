/** The uncertain words, in order, by their numbers in the timeline. */
import { changedRange } from "@/domain/transcript/changed-range";
import type { SpokenSegment } from "@/domain/transcript/model";
import { LOW_CONFIDENCE } from "@/domain/transcript/word-layout";

export function unsureWords(segments: readonly SpokenSegment[]): number[] {
  const indexes: number[] = [];
  let next = 0;
  for (const segment of segments) {
    for (const at of unsureIn(segment)) {
      indexes.push(next + at);
    }
    next += segment.words.length;
  }
  return indexes;
}

let counted: { segments: readonly SpokenSegment[]; count: number } | null = null;

/** The number of uncertain words; after an edit only changed segments are counted again. */
export function countUnsure(segments: readonly SpokenSegment[]): number {
  if (counted?.segments !== segments) {
    const stretch = counted && changedRange(counted.segments, segments);
    const within = (of: readonly SpokenSegment[], from: number, to: number) => {
      let count = 0;
      for (let at = from; at < to; at += 1) {
        count += of[at]?.words.reduce((sum, word) => sum + (isUnsure(word) ? 1 : 0), 0) ?? 0;
      }
      return count;
    };
    counted = {
      segments,
      count:
        counted && stretch
          ? counted.count + within(segments, stretch.from, stretch.to) - within(counted.segments, stretch.from, stretch.to)
          : within(segments, 0, segments.length),
    };
  }
  return counted.count;
}

export const isUnsure = ({ confidence }: SpokenSegment["words"][number]): boolean => confidence < LOW_CONFIDENCE;

/** Cached by segment: an unchanged segment stays the same object. */
const known = new WeakMap<SpokenSegment, readonly number[]>();

function unsureIn(segment: SpokenSegment): readonly number[] {
  let indexes = known.get(segment);
  if (!indexes) {
    indexes = segment.words.flatMap((word, at) => (isUnsure(word) ? [at] : []));
    known.set(segment, indexes);
  }
  return indexes;
}

/** The next or previous uncertain word, cyclically; -1 if there is none. */
export function nextUnsure(unsure: readonly number[], word: number, step: 1 | -1): number {
  const found = step === 1 ? unsure.find((index) => index > word) : unsure.findLast((index) => index < word);
  return found ?? (step === 1 ? unsure[0] : unsure.at(-1)) ?? -1;
}
