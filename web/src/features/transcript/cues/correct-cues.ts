/** Finds automatic corrections in a long text step by step, considering only parts that exceed a limit. */
import { type Corrections, correctCues as correctPart, type ShownCue, subtitleLimits } from "@/rules/text";
import { blockContext, blockOf, type CueText, cuesAt, endBefore, overLimitsAt, type PlacedCue } from "../tabs/cues";

/** Yields the progress, from 0 to 1; returns the result. */
export function* correctCues(text: CueText): Generator<number, Corrections, void> {
  const count = text.segments.length;
  const was: PlacedCue[][] = [];
  let before = 0;
  for (let at = 0; at < count; at += 1) {
    was.push(cuesAt(text, at));
    before += overLimitsAt(text, at).length;
    yield (at / count) * 0.2;
  }
  let current = text;
  for (let at = 0; at < count; ) {
    const end = blockOf(current, at)[1];
    current = withBlock(current, at, end);
    at = end;
    yield 0.2 + (at / count) * 0.6;
  }
  const result: Corrections = { edits: [], before, after: 0, changes: [] };
  for (const [at, segment] of text.segments.entries()) {
    result.after += overLimitsAt(current, at).length;
    const { cues } = current.segments[at] ?? segment;
    if (cues && cues !== segment.cues) {
      result.edits.push({ segment: { id: segment.id, revision: segment.revision }, cues });
      result.changes.push({ segment: segment.id, before: shownCues(was[at] ?? []), after: shownCues(cuesAt(current, at)) });
    }
    yield 0.8 + (at / count) * 0.2;
  }
  return result;
}

/** The text with corrections in these segments, which are timed together; unchanged if no limit is exceeded. */
function withBlock(text: CueText, first: number, end: number): CueText {
  const over = text.segments.slice(first, end).flatMap((_, at) => overLimitsAt(text, first + at));
  if (over.length === 0) {
    return text;
  }
  // A cue too close to the previous segment's last one is corrected together with it.
  const isNear = over.some(
    ({ cue, findings }) =>
      cue.segment === text.segments[first] && findings.some(({ kind }) => kind === "gap" || kind === "overlap"),
  );
  const from = isNear && first > 0 ? blockOf(text, first - 1)[0] : first;
  const part = text.segments.slice(from, end);
  const { before, next } = blockContext(text, from, end);
  const { edits } = correctPart(part, [...text.speakers], subtitleLimits(), text.duration, before, next, endBefore(text, from));
  const cues = new Map(edits.map((edit) => [edit.segment.id, edit.cues]));
  const changed = part.map((segment) => {
    const segmentCues = cues.get(segment.id);
    return segmentCues ? { ...segment, cues: segmentCues } : segment;
  });
  return cues.size > 0 ? { ...text, segments: text.segments.toSpliced(from, part.length, ...changed) } : text;
}

const shownCues = (cues: readonly PlacedCue[]): ShownCue[] =>
  cues.map(({ start, end, head, lines }) => ({ start, end, head, lines }));
