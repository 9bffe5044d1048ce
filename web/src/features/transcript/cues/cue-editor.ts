/** What can be done to subtitles on a page: each of it makes one edit, or says why it does not. */
import type { PlayerStore } from "@/components/transcript/player-store";
import { newUuid } from "@/lib/tab-client";
import { subtitleLimits } from "@/rules/text";
import { segmentOf } from "../document/apply";
import type { DocumentStore } from "../document/document-store";
import type { EditOp } from "../document/model";
import { refOf } from "../editor/moves";
import { type CueText, cuesAt, type PlacedCue, splitPlace } from "../tabs/cues";
import { breakLine, byRule, joinCue, splitCue, type TimesProblem, timesProblem, withTimes } from "./cue-ops";
import type { CueKey, CueStore } from "./cue-store";
import { type Nudge, nudgeSeconds, roundTime } from "./cue-time";
import type { Room, Span } from "./geometry";

/** So much of a neighbour that is laid out by rule is left to it. */
const YIELD_SECONDS = 0.2;

/** The frame rate that subtitles are made for. */
export const frameRate = (): number => subtitleLimits().frame_rate;

export interface CueEditor {
  /** The cues of a segment as the text has them now. */
  cuesOf: (segment: string) => PlacedCue[];
  cue: (key: CueKey) => PlacedCue | undefined;
  /** Moves it; says what is wrong with the times, or null. */
  move: (key: CueKey, span: Span) => TimesProblem | null;
  /** Between which seconds it can be moved: up to subtitles made by hand, and into those that give way by rule. */
  room: (key: CueKey) => Room & { places: number[] };
  /** Moves one edge from where it is. */
  nudge: (key: CueKey, edge: "start" | "end", nudge: Nudge, direction: 1 | -1) => TimesProblem | null;
  /** Puts an edge where the recording stands. */
  setAtPlayhead: (key: CueKey, edge: "start" | "end") => TimesProblem | null;
  /** These take a position in the segment's text, in UTF-16 units. False: nothing can be done there. */
  split: (segment: string, letter: number) => boolean;
  breakAt: (segment: string, letter: number) => boolean;
  /** With the next one of its line, or its line with the next line. */
  join: (key: CueKey) => boolean;
  /** Parts its line before it. */
  splitLine: (key: CueKey) => boolean;
  byRule: (key: CueKey) => boolean;
}

export function createCueEditor(document: DocumentStore, player: PlayerStore, store: CueStore, duration: number): CueEditor {
  const { actions } = document;
  const cuesOf = (segment: string) => {
    const { segments, speakers, positions } = document.getState();
    const text: CueText = { segments, speakers, duration };
    return cuesAt(text, positions.get(segment) ?? -1);
  };
  const cue = ({ segment, part }: CueKey) => cuesOf(segment)[part];
  const done = (op: EditOp | null): boolean => {
    if (op) {
      actions.edit(op);
    }
    return op !== null;
  };
  const move: CueEditor["move"] = ({ segment, part }, span) => {
    actions.commit();
    const cues = cuesOf(segment);
    const rounded = { start: roundTime(span.start), end: roundTime(span.end) };
    const problem = timesProblem(cues, part, rounded, duration);
    if (!problem) {
      done(withTimes(cues, part, rounded.start, rounded.end));
    }
    return problem;
  };
  const moveEdge = (key: CueKey, edge: "start" | "end", to: (now: number) => number) => {
    actions.commit();
    const now = cue(key);
    return now ? move(key, { start: now.start, end: now.end, [edge]: Math.max(0, to(now[edge])) }) : null;
  };
  /** What is typed becomes an edit first, so that the caret is counted in the text that is edited. */
  const atLetter = (segment: string, act: (cues: PlacedCue[]) => EditOp | null) => {
    actions.commit();
    return done(act(cuesOf(segment)));
  };
  const room: CueEditor["room"] = ({ segment, part }) => {
    const cues = cuesOf(segment);
    const { segments, positions } = document.getState();
    const at = positions.get(segment) ?? -1;
    const before = cues[part - 1] ?? cuesOf(segments[at - 1]?.id ?? "").at(-1);
    const after = cues[part + 1] ?? cuesOf(segments[at + 1]?.id ?? "")[0];
    const stays = (other: PlacedCue) => other.segment.id === segment || Boolean(other.segment.cues?.length);
    const { gap_frames, frame_rate } = subtitleLimits();
    const gap = gap_frames / frame_rate;
    const now = cues[part]?.segment;
    return {
      least: !before ? 0 : stays(before) ? before.end : Math.min(before.end, before.start + YIELD_SECONDS),
      most: !after
        ? duration || Number.POSITIVE_INFINITY
        : stays(after)
          ? after.start
          : Math.max(after.start, after.end - YIELD_SECONDS),
      places: [
        player.getState().time,
        ...(before ? [before.end, before.end + gap] : []),
        ...(after ? [after.start, after.start - gap] : []),
        ...(now ? [now.start, now.end] : []),
      ],
    };
  };
  return {
    cuesOf,
    cue,
    move,
    room,
    nudge: (key, edge, nudge, direction) => moveEdge(key, edge, (now) => now + direction * nudgeSeconds(nudge, frameRate())),
    setAtPlayhead: (key, edge) => moveEdge(key, edge, () => player.getState().time),
    split: (segment, letter) => atLetter(segment, (cues) => splitCue(cues, letter)),
    breakAt: (segment, letter) => atLetter(segment, (cues) => breakLine(cues, letter)),
    join: (key) => {
      actions.commit();
      if (done(joinCue(cuesOf(key.segment), key.part))) {
        return true;
      }
      const { segments, positions } = document.getState();
      const at = positions.get(key.segment) ?? -1;
      const [now, next] = [segments[at], segments[at + 1]];
      return done(now && next ? { kind: "merge", segment: refOf(now), next: refOf(next) } : null);
    },
    splitLine: (key) => {
      actions.commit();
      const now = cue(key);
      const segment = segmentOf(document.getState(), key.segment);
      if (!now || !segment || now.part === 0) {
        return false;
      }
      const newSegment = newUuid();
      actions.edit({ kind: "split", segment: refOf(segment), at: splitPlace(now), new_segment: newSegment });
      store.choose({ segment: newSegment, part: 0 });
      return true;
    },
    byRule: (key) => {
      actions.commit();
      const segment = segmentOf(document.getState(), key.segment);
      return done(segment ? byRule(segment) : null);
    },
  };
}
