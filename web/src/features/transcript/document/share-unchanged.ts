/**
 * Structural sharing between two states of a text. The server's answers contain new objects for known content; equal
 * ones are replaced by the known objects, so that a view renders changes only.
 */
import type { Text } from "./apply";
import type { EditedSegment, HandCue, Speaker, Word } from "./model";

/** The new text, reusing the old one's objects wherever they are equal. */
export function shareUnchanged(before: Text, after: Text): Text {
  return {
    segments: sharedList(before.segments, after.segments, (segment, at) => {
      const known = before.segments[at]?.id === segment.id ? at : before.positions.get(segment.id);
      const was = known === undefined ? undefined : before.segments[known];
      return was ? sharedSegment(was, segment) : segment;
    }),
    positions: samePlaces(before, after) ? before.positions : after.positions,
    speakers: sharedList(before.speakers, after.speakers, (speaker, at) => {
      const was = before.speakers[at];
      return was && sameSpeaker(was, speaker) ? was : speaker;
    }),
  };
}

/** The old list, if all of its elements are in the new one at the same indices. */
function sharedList<Item>(
  before: readonly Item[],
  after: readonly Item[],
  shared: (item: Item, at: number) => Item,
): readonly Item[] {
  if (before === after) {
    return before;
  }
  let same = before.length === after.length;
  const items = after.map((item, at) => {
    const result = item === before[at] ? item : shared(item, at);
    same &&= result === before[at];
    return result;
  });
  return same ? before : items;
}

function samePlaces(before: Text, after: Text): boolean {
  return (
    before.positions === after.positions ||
    (before.segments.length === after.segments.length && after.segments.every(({ id }, at) => before.segments[at]?.id === id))
  );
}

function sharedSegment(before: EditedSegment, after: EditedSegment): EditedSegment {
  if (before === after) {
    return before;
  }
  const words = sameWords(before.words, after.words) ? before.words : after.words;
  const same =
    words === before.words &&
    before.revision === after.revision &&
    before.text === after.text &&
    before.speaker === after.speaker &&
    (before.language ?? null) === (after.language ?? null) &&
    before.start === after.start &&
    before.end === after.end &&
    before.place.base === after.place.base &&
    before.place.part === after.place.part &&
    sameManualCues(before.cues, after.cues);
  return same ? before : words === after.words ? after : { ...after, words };
}

const sameWords = (before: readonly Word[], after: readonly Word[]): boolean =>
  before === after ||
  (before.length === after.length &&
    before.every((word, at) => {
      const other = after[at];
      return (
        other !== undefined &&
        word.text === other.text &&
        word.start === other.start &&
        word.end === other.end &&
        word.confidence === other.confidence
      );
    }));

/** Whether manual subtitles are equal; `sameTime` compares seconds. */
export const sameManualCues = (
  was: readonly HandCue[] = [],
  now: readonly HandCue[] = [],
  sameTime: (was: number, now: number) => boolean = Object.is,
): boolean =>
  was === now ||
  (was.length === now.length &&
    was.every((cue, at) => {
      const other = now[at];
      return (
        other !== undefined &&
        cue.at === other.at &&
        sameTime(cue.start, other.start) &&
        sameTime(cue.end, other.end) &&
        cue.breaks.join() === other.breaks.join()
      );
    }));

const sameSpeaker = (before: Speaker, after: Speaker): boolean =>
  before.id === after.id && (before.name ?? null) === (after.name ?? null);
