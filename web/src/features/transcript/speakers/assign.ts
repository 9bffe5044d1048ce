/** The edits for assigning a speaker. */
import type { EditedSegment, EditOp, Speaker } from "../document/model";
import { refOf } from "../editor/editor-actions";

/** What is assigned: one segment, all consecutive segments of the speaker there, or all of the speaker's segments. */
export const SCOPES = ["line", "turn", "all"] as const;
export type Scope = (typeof SCOPES)[number];

/** The consecutive segments of one speaker around an index. */
export function turnAt(segments: readonly EditedSegment[], position: number): EditedSegment[] {
  const speaker = segments[position]?.speaker ?? null;
  let from = position;
  while (from > 0 && (segments[from - 1]?.speaker ?? null) === speaker) {
    from -= 1;
  }
  let to = position + 1;
  while (to < segments.length && (segments[to]?.speaker ?? null) === speaker) {
    to += 1;
  }
  return segments.slice(from, to);
}

/** The edit that assigns the segments of this scope to a speaker, or null if nothing changes. */
export function assignment(
  { segments, speakers }: { segments: readonly EditedSegment[]; speakers: readonly Speaker[] },
  position: number,
  scope: Scope,
  speaker: string | null,
): EditOp | null {
  const segment = segments[position];
  const before = segment?.speaker ?? null;
  if (!segment || before === speaker) {
    return null;
  }
  if (scope === "all" && before !== null && speaker !== null && speakers.some(({ id }) => id === speaker)) {
    return { kind: "merge_speakers", from: before, into: speaker };
  }
  const chosen =
    scope === "line"
      ? [segment]
      : scope === "turn"
        ? turnAt(segments, position)
        : segments.filter((line) => (line.speaker ?? null) === before);
  return { kind: "set_speaker", segments: chosen.map(refOf), speaker };
}
