/** Edits of subtitles: each is one undo step. */
import { newUuid } from "@/lib/tab-client";
import { MAX_BREAKS, MIN_CUE_SECONDS } from "@/rules/constants";
import { codePointsBefore, subtitleLimits, validateEdits } from "@/rules/text";
import type { EditedSegment, EditOp, HandCue } from "../document/model";
import { refOf } from "../editor/editor-actions";
import type { PlacedCue } from "../tabs/cues";
import { timeAtOffset } from "../tabs/time-at-offset";
import { roundTime } from "./cue-time";

/** The current cues of a segment as manual cues: unchanged ones stay where they are. */
export function manualCues(cues: readonly PlacedCue[]): HandCue[] {
  const segment = cues[0]?.segment;
  if (segment?.cues?.length) {
    return segment.cues.map((cue) => ({ ...cue, breaks: [...cue.breaks] }));
  }
  return cues.map((cue) => ({
    at: cue.part === 0 ? 0 : codePointsBefore(cue.segment.text, cue.from),
    start: roundTime(cue.start),
    end: roundTime(cue.end),
    breaks: [],
  }));
}

/** Sets manual cues of a segment; without any, they are placed automatically again. */
export const setCues = (segment: EditedSegment, cues: HandCue[]): EditOp => ({
  kind: "set_cues",
  segment: refOf(segment),
  cues,
});

/** Whether it exceeds the maximum number of cues per line. */
export const isTooMany = (op: EditOp): boolean =>
  validateEdits([{ edit_id: newUuid(), op }]).some(({ code }) => code === "too_many");

/** The end of the recording for subtitles: later lines extend it. 0 if unknown. */
export const recordingEnd = (segments: readonly EditedSegment[], duration: number): number =>
  duration > 0 ? segments.reduce((last, { end }) => Math.max(last, end), duration) : 0;

/** Why a cue cannot be shown from `start` to `end`; null if it can. */
export type TimesProblem = "order" | "outside" | "overlap" | "neighbour" | "tooMany";

export function timesProblem(
  cues: readonly PlacedCue[],
  part: number,
  { start, end }: { start: number; end: number },
  duration: number,
): TimesProblem | null {
  const hands = manualCues(cues);
  if (end - start < MIN_CUE_SECONDS - 1e-6) {
    return "order";
  }
  if (start < 0 || (duration > 0 && end > duration + 1e-6)) {
    return "outside";
  }
  const [before, after] = [hands[part - 1], hands[part + 1]];
  return (before && start < before.end) || (after && end > after.start) ? "overlap" : null;
}

/** The cue with other times. */
export function withTimes(cues: readonly PlacedCue[], part: number, start: number, end: number): EditOp | null {
  const segment = cues[0]?.segment;
  const hands = manualCues(cues);
  const current = hands[part];
  if (!segment || !current) {
    return null;
  }
  const next = { ...current, start: roundTime(start), end: roundTime(end) };
  return next.start === current.start && next.end === current.end ? null : setCues(segment, hands.with(part, next));
}

/** The cue that contains this UTF-16 offset of the segment's text; the last one for the end. */
export const cueAtOffset = (cues: readonly PlacedCue[], offset: number): PlacedCue | undefined =>
  cues.findLast(({ from }) => from <= offset) ?? cues[0];

/** The offset after white space. */
const skipSpace = (text: string, offset: number): number => offset + (/^\s*/.exec(text.slice(offset))?.[0].length ?? 0);

/** The cue split before a UTF-16 offset of the segment's text, at the time of the word there; null at its ends. */
export function splitCue(cues: readonly PlacedCue[], offset: number): EditOp | null {
  const cue = cueAtOffset(cues, offset);
  const hands = manualCues(cues);
  const current = cue && hands[cue.part];
  if (!cue || !current) {
    return null;
  }
  const { segment } = cue;
  const cut = skipSpace(segment.text, offset);
  if (segment.text.slice(cue.from, cut).trim() === "" || segment.text.slice(cut, cue.to).trim() === "") {
    return null;
  }
  const length = current.end - current.start;
  const gap = subtitleLimits().gap_frames / subtitleLimits().frame_rate;
  const room = length > gap + 2 * MIN_CUE_SECONDS ? gap : 0;
  if (length < 2 * MIN_CUE_SECONDS) {
    return null;
  }
  const spokenAt = segment.words.length > 0 ? timeAtOffset(segment, cut) : Number.NaN;
  const share = (cut - cue.from) / Math.max(1, cue.to - cue.from);
  const preferred = spokenAt > current.start && spokenAt < current.end ? spokenAt : current.start + length * share;
  const second = Math.min(current.end - MIN_CUE_SECONDS, Math.max(current.start + MIN_CUE_SECONDS + room, preferred));
  const at = codePointsBefore(segment.text, cut);
  return setCues(
    segment,
    hands.toSpliced(
      cue.part,
      1,
      { ...current, end: roundTime(second - room), breaks: current.breaks.filter((place) => place < at) },
      { at, start: roundTime(second), end: current.end, breaks: current.breaks.filter((place) => place > at) },
    ),
  );
}

/** The cue joined with the next one of its segment; null for the last one. */
export function joinWithNext(cues: readonly PlacedCue[], part: number): EditOp | null {
  const segment = cues[0]?.segment;
  const hands = manualCues(cues);
  const [current, next] = [hands[part], hands[part + 1]];
  if (!segment || !current || !next) {
    return null;
  }
  // If lines were broken manually, the joint is a line break, too.
  const byHand = current.breaks.length + next.breaks.length > 0;
  const breaks = byHand ? [...current.breaks, next.at, ...next.breaks].slice(0, MAX_BREAKS) : [];
  return setCues(segment, hands.toSpliced(part, 2, { at: current.at, start: current.start, end: next.end, breaks }));
}

/**
 * A line break inserted before a UTF-16 offset of the segment's text, or removed if there is one; null at the ends of a
 * cue.
 */
export function breakLine(cues: readonly PlacedCue[], offset: number): EditOp | null {
  const cue = cueAtOffset(cues, offset);
  const hands = manualCues(cues);
  const current = cue && hands[cue.part];
  if (!cue || !current) {
    return null;
  }
  const { segment } = cue;
  const place = skipSpace(segment.text, offset);
  if (segment.text.slice(cue.from, place).trim() === "" || segment.text.slice(place, cue.to).trim() === "") {
    return null;
  }
  const at = codePointsBefore(segment.text, place);
  const breaks = current.breaks.includes(at)
    ? current.breaks.filter((breakAt) => breakAt !== at)
    : [...current.breaks, at].sort((a, b) => a - b);
  return breaks.length > MAX_BREAKS ? null : setCues(segment, hands.with(cue.part, { ...current, breaks }));
}

/** Places all cues of the segment automatically again; null if none is manual. */
export const resetCues = (segment: EditedSegment): EditOp | null => (segment.cues?.length ? setCues(segment, []) : null);

/** A line for missed speech, after the last one that starts before it. */
export function insertLine(
  segments: readonly EditedSegment[],
  line: { start: number; end: number; text: string; speaker: string | null },
  newSegment: string,
): EditOp {
  const after = segments.findLast(({ start }) => start <= line.start);
  return {
    kind: "insert",
    new_segment: newSegment,
    after: after ? refOf(after) : null,
    start: roundTime(line.start),
    end: roundTime(line.end),
    text: line.text,
    speaker: line.speaker,
  };
}
