/** How long each speaker speaks. */
import { changedRange } from "@/domain/transcript/changed-range";
import type { SpokenSegment } from "@/domain/transcript/model";

/** Key of speech without a speaker. */
export const NOBODY = "";

type TalkTimes = ReadonlyMap<string, number>;

let newest: { segments: readonly SpokenSegment[]; times: TalkTimes } | null = null;

/**
 * Seconds of speech by speaker id, with `NOBODY` for speech without a speaker. The same object as long as no time
 * changes, as after most edits.
 */
export function talkTimes(segments: readonly SpokenSegment[]): TalkTimes {
  if (newest?.segments !== segments) {
    const same = newest !== null && takesAsLong(newest.segments, segments);
    newest = { segments, times: same && newest ? newest.times : counted(segments) };
  }
  return newest.times;
}

function takesAsLong(before: readonly SpokenSegment[], after: readonly SpokenSegment[]): boolean {
  const stretch = changedRange(before, after);
  return (
    stretch !== null &&
    after.slice(stretch.from, stretch.to).every(({ speaker, start, end }, at) => {
      const was = before[stretch.from + at];
      return was !== undefined && was.speaker === speaker && was.start === start && was.end === end;
    })
  );
}

/**
 * A speaker's time is the union of their segments, in tenths of a second, like the statistics of the analysis:
 * overlapping segments count once.
 */
function counted(segments: readonly SpokenSegment[]): TalkTimes {
  const spans = new Map<string, { start: number; end: number }[]>();
  for (const { speaker, start, end } of segments) {
    const ownSpans = spans.get(speaker ?? NOBODY) ?? [];
    ownSpans.push({ start, end: Math.max(start, end) });
    spans.set(speaker ?? NOBODY, ownSpans);
  }
  return new Map([...spans].map(([speaker, ownSpans]) => [speaker, Math.round(covered(ownSpans) * 10) / 10]));
}

function covered(spans: { start: number; end: number }[]): number {
  let until = 0;
  let sum = 0;
  for (const { start, end } of spans.sort((a, b) => a.start - b.start || a.end - b.end)) {
    sum += Math.max(0, end - Math.max(start, until));
    until = Math.max(until, end);
  }
  return sum;
}
