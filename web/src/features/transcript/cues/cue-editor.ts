/** Actions on subtitles: each makes one edit, or returns why it does not. */
import type { PlayerStore } from "@/domain/transcript/player-store";
import { newUuid } from "@/lib/tab-client";
import { cueRoom, subtitleLimits } from "@/rules/text";
import { segmentOf } from "../document/apply";
import type { DocumentStore } from "../document/document-store";
import type { EditOp, HandCue } from "../document/model";
import { refOf } from "../editor/editor-actions";
import { type CueText, cuesAt, type PlacedCue, splitOffset } from "../tabs/cues";
import { timeAtOffset } from "../tabs/time-at-offset";
import {
  breakLine,
  isTooMany,
  joinWithNext,
  recordingEnd,
  resetCues,
  splitCue,
  type TimesProblem,
  timesProblem,
  withTimes,
} from "./cue-ops";
import type { CueKey, CueStore } from "./cue-store";
import { type Nudge, nudgeSeconds, roundTime } from "./cue-time";
import type { AllowedRange, Span } from "./geometry";

/** The frame rate that subtitles are made for. */
export const frameRate = (): number => subtitleLimits().frame_rate;

/** Seconds between two subtitles. */
const gapSeconds = (): number => subtitleLimits().gap_frames / subtitleLimits().frame_rate;

/** Minimum time left for an automatically placed neighbour; with less it would be placed on the other side. */
const yieldSeconds = (): number => cueRoom() + gapSeconds() + 0.001;

/** Whether an edit was made; false if none is possible there. */
export type Outcome = boolean | "tooMany";

export interface CueEditor {
  /** The current cues of a segment. */
  cuesOf: (segment: string) => PlacedCue[];
  cue: (key: CueKey) => PlacedCue | undefined;
  /** Moves it; returns the problem with the times, or null. */
  move: (key: CueKey, span: Span) => TimesProblem | null;
  /** The range in which it can be moved: up to manual subtitles, and into automatically placed ones. */
  room: (key: CueKey) => AllowedRange & { places: number[] };
  /** Moves one edge by a step. */
  nudge: (key: CueKey, edge: "start" | "end", nudge: Nudge, direction: 1 | -1) => TimesProblem | null;
  /** Moves an edge to the playback position. */
  setAtPlayhead: (key: CueKey, edge: "start" | "end") => TimesProblem | null;
  /** With a UTF-16 offset in the segment's text. */
  split: (segment: string, letter: number) => Outcome;
  breakAt: (segment: string, letter: number) => Outcome;
  /** Joins it with the next one of its line, or its line with the next line. */
  join: (key: CueKey) => Outcome;
  /** Splits its line before it. */
  splitLine: (key: CueKey) => boolean;
  byRule: (key: CueKey) => Outcome;
}

export function createCueEditor(document: DocumentStore, player: PlayerStore, store: CueStore, duration: number): CueEditor {
  const { actions } = document;
  const currentText = (): CueText => {
    const { segments, speakers } = document.getState();
    return { segments, speakers, duration };
  };
  const placeOf = (segment: string) => document.getState().positions.get(segment) ?? -1;
  const cuesOf = (segment: string) => cuesAt(currentText(), placeOf(segment));
  const cue = ({ segment, part }: CueKey) => cuesOf(segment)[part];
  const perform = (op: EditOp | null): Outcome => {
    if (op && isTooMany(op)) {
      return "tooMany";
    }
    if (op) {
      actions.edit(op);
    }
    return op !== null;
  };
  const move: CueEditor["move"] = ({ segment, part }, span) => {
    actions.commit();
    const cues = cuesOf(segment);
    const rounded = { start: roundTime(span.start), end: roundTime(span.end) };
    const problem = timesProblem(cues, part, rounded, recordingEnd(document.getState().segments, duration));
    const op = problem ? null : withTimes(cues, part, rounded.start, rounded.end);
    if (op?.kind === "set_cues" && pushesAside(currentText(), placeOf(segment), op.cues)) {
      return "neighbour";
    }
    return perform(op) === "tooMany" ? "tooMany" : problem;
  };
  const moveEdge = (key: CueKey, edge: "start" | "end", to: (now: number) => number) => {
    actions.commit();
    const current = cue(key);
    return current ? move(key, { start: current.start, end: current.end, [edge]: Math.max(0, to(current[edge])) }) : null;
  };
  /** Typed text becomes an edit first, so that the caret refers to the edited text. */
  const atOffset = (segment: string, act: (cues: PlacedCue[]) => EditOp | null): Outcome => {
    actions.commit();
    return perform(act(cuesOf(segment)));
  };
  const room: CueEditor["room"] = ({ segment, part }) => {
    const cues = cuesOf(segment);
    const at = placeOf(segment);
    const before = cues[part - 1] ?? besideOf(currentText(), at, -1);
    const after = cues[part + 1] ?? besideOf(currentText(), at, 1);
    const stays = (other: PlacedCue) => other.segment.id === segment || isByHand(other);
    const gap = gapSeconds();
    const current = cues[part]?.segment;
    return {
      least: !before ? 0 : stays(before) ? before.end : spokenAt(before) + yieldSeconds(),
      most: !after
        ? recordingEnd(document.getState().segments, duration) || Number.POSITIVE_INFINITY
        : stays(after)
          ? after.start
          : Math.max(after.start - gap, after.end - yieldSeconds()),
      places: [
        player.getState().time,
        ...(before ? [before.end, before.end + gap] : []),
        ...(after ? [after.start, after.start - gap] : []),
        ...(current ? [current.start, current.end] : []),
      ],
    };
  };
  return {
    cuesOf,
    cue,
    move,
    room,
    nudge: (key, edge, nudge, direction) => moveEdge(key, edge, (time) => time + direction * nudgeSeconds(nudge, frameRate())),
    setAtPlayhead: (key, edge) => moveEdge(key, edge, () => player.getState().time),
    split: (segment, letter) => atOffset(segment, (cues) => splitCue(cues, letter)),
    breakAt: (segment, letter) => atOffset(segment, (cues) => breakLine(cues, letter)),
    join: (key) => {
      actions.commit();
      const joined = perform(joinWithNext(cuesOf(key.segment), key.part));
      if (joined) {
        return joined;
      }
      const { segments, positions } = document.getState();
      const at = positions.get(key.segment) ?? -1;
      const [current, next] = [segments[at], segments[at + 1]];
      return perform(current && next ? { kind: "merge", segment: refOf(current), next: refOf(next) } : null);
    },
    splitLine: (key) => {
      actions.commit();
      const current = cue(key);
      const segment = segmentOf(document.getState(), key.segment);
      if (!current || !segment || current.part === 0) {
        return false;
      }
      const newSegment = newUuid();
      actions.edit({ kind: "split", segment: refOf(segment), at: splitOffset(current), new_segment: newSegment });
      store.choose({ segment: newSegment, part: 0 });
      return true;
    },
    byRule: (key) => {
      actions.commit();
      const segment = segmentOf(document.getState(), key.segment);
      return perform(segment ? resetCues(segment) : null);
    },
  };
}

const isByHand = ({ segment }: PlacedCue): boolean => Boolean(segment.cues?.length);

/** The last cue before the segment at a position, or the first one after it. */
function besideOf(text: CueText, position: number, step: 1 | -1): PlacedCue | undefined {
  for (let at = position + step; position >= 0 && at >= 0 && at < text.segments.length; at += step) {
    const cue = cuesAt(text, at).at(step === 1 ? 0 : -1);
    if (cue) {
      return cue;
    }
  }
  return undefined;
}

/** The start of the words of a cue; the cue may be shown earlier, during silence. */
const spokenAt = ({ segment, from, start }: PlacedCue): number => Math.max(start, timeAtOffset(segment, from));

/** Whether these cues of a segment would move an automatically placed neighbour to the other side of it. */
function pushesAside(text: CueText, at: number, cues: HandCue[]): boolean {
  const current = text.segments[at];
  if (!current) {
    return false;
  }
  const then: CueText = { ...text, segments: text.segments.with(at, { ...current, cues }) };
  const isBeside = (of: CueText, step: 1 | -1) => {
    const other = besideOf(of, at, step);
    const edgeCue = cuesAt(of, at).at(step === 1 ? -1 : 0);
    return !other || !edgeCue || isByHand(other) || (other.start - edgeCue.start) * step > 0;
  };
  return ([1, -1] as const).some((step) => isBeside(text, step) && !isBeside(then, step));
}
