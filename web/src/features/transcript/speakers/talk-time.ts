/** How long each speaker speaks. */
import { changedStretch } from "@/components/transcript/changed-stretch";
import type { SpokenSegment } from "@/components/transcript/model";

type TalkTimes = ReadonlyMap<string, number>;

let newest: { segments: readonly SpokenSegment[]; times: TalkTimes } | null = null;

/** Seconds of speech by speaker id. The same object as long as nobody speaks longer or shorter: after most edits. */
export function talkTimes(segments: readonly SpokenSegment[]): TalkTimes {
  if (newest?.segments !== segments) {
    const same = newest !== null && takesAsLong(newest.segments, segments);
    newest = { segments, times: same && newest ? newest.times : counted(segments) };
  }
  return newest.times;
}

function takesAsLong(before: readonly SpokenSegment[], now: readonly SpokenSegment[]): boolean {
  const stretch = changedStretch(before, now);
  return (
    stretch !== null &&
    now.slice(stretch.from, stretch.to).every(({ speaker, start, end }, at) => {
      const was = before[stretch.from + at];
      return was !== undefined && was.speaker === speaker && was.start === start && was.end === end;
    })
  );
}

function counted(segments: readonly SpokenSegment[]): TalkTimes {
  const times = new Map<string, number>();
  for (const { speaker, start, end } of segments) {
    if (speaker != null) {
      times.set(speaker, (times.get(speaker) ?? 0) + Math.max(0, end - start));
    }
  }
  return times;
}
