/**
 * The effect of an edit on the text, before the server has answered. Pure functions; the content comes from the same
 * rules as on the server. Edits that cannot be applied (the segment is gone, or the edit is already applied) leave the
 * text unchanged: an edit sent before a reload may be applied to a text that already contains it.
 */

import {
  cleanText,
  confirmWords,
  mergeSegments,
  moveCues,
  moveSegment,
  partBefore,
  partBetween,
  retime,
  splitSegment,
} from "@/rules/text";
import type { EditedSegment, EditOp, NewText, SegmentChange, SegmentRef, Speaker } from "./model";

/** A text with its speakers. */
export interface Text {
  readonly segments: readonly EditedSegment[];
  /** The index of each segment, by its id. The same object as long as no segment is added or removed. */
  readonly positions: ReadonlyMap<string, number>;
  readonly speakers: readonly Speaker[];
}

/** A text of these segments, which must be in order. */
export function textOf(segments: readonly EditedSegment[], speakers: readonly Speaker[]): Text {
  const positions = new Map<string, number>();
  segments.forEach(({ id }, at) => {
    positions.set(id, at);
  });
  return { segments, speakers, positions };
}

/** The segment with this id, if it exists. */
export function segmentOf(text: Text, id: string): EditedSegment | undefined {
  const at = text.positions.get(id);
  return at === undefined ? undefined : text.segments[at];
}

/** Applies an edit. */
export function apply(text: Text, op: EditOp): Text {
  switch (op.kind) {
    case "set_text":
      return withTexts(text, [op]);
    case "replace":
      return withTexts(text, op.segments);
    case "split":
      return withSplit(text, op.segment.id, op.at, op.new_segment);
    case "merge":
      return withMerge(text, op.segment.id, op.next.id);
    case "confirm_words":
      return withConfirmed(text, op.segment.id, op.words);
    case "set_speaker":
      return withSpeaker(
        text,
        op.segments.map(({ id }) => id),
        op.speaker ?? null,
      );
    case "rename_speaker":
      return {
        ...text,
        speakers: text.speakers.map((speaker) => (speaker.id === op.speaker ? { ...speaker, name: op.name ?? null } : speaker)),
      };
    case "remove":
      return withoutSegments(
        text,
        op.segments.map(({ id }) => id),
      );
    case "set_times":
      return withEach(text, op.times, (segment, { start, end }) => moveSegment(segment, start, end));
    case "set_cues":
      return withEach(text, [op], (segment, { cues }) => ({ ...segment, cues }));
    case "correct_cues":
      return withEach(text, op.segments, (segment, { cues }) => ({ ...segment, cues }));
    case "insert":
      return withInserted(text, op);
    case "bring_back":
    case "put_back":
      // The server's answer contains the segment's content.
      return text;
    case "merge_speakers":
      return {
        ...text,
        segments: text.segments.map((segment) => (segment.speaker === op.from ? { ...segment, speaker: op.into } : segment)),
        speakers: text.speakers.filter(({ id }) => id !== op.from),
      };
  }
}

/** The text after changes from the server. A state older than the known one is ignored. */
export function applyChanges(text: Text, changes: readonly SegmentChange[], speakers?: readonly Speaker[] | null): Text {
  const segments = text.segments.slice();
  const removed = new Set<string>();
  const added: EditedSegment[] = [];
  for (const { id, segment } of changes) {
    const at = text.positions.get(id);
    if (!segment) {
      removed.add(id);
    } else if (at === undefined) {
      added.push(segment);
    } else if (segment.revision >= (segments[at]?.revision ?? 0)) {
      segments[at] = segment;
    }
  }
  const named = speakers ?? text.speakers;
  if (added.length === 0 && ![...removed].some((id) => text.positions.has(id))) {
    return { segments, positions: text.positions, speakers: named };
  }
  const all = [...segments.filter(({ id }) => !removed.has(id)), ...added].sort(byPlace);
  return textOf(all, named);
}

type Place = EditedSegment["place"];

const byPlace = (a: EditedSegment, b: EditedSegment) => a.place.base - b.place.base || a.place.part - b.place.part;

/** Normalised as on the server: one line, trimmed. */
export const normalizeText = cleanText;

function withTexts(text: Text, changed: readonly NewText[]): Text {
  const segments = text.segments.slice();
  for (const { segment: ref, text: newText } of changed) {
    const at = text.positions.get(ref.id);
    const segment = at === undefined ? undefined : segments[at];
    const next = normalizeText(newText);
    if (at !== undefined && segment && segment.text !== next && next !== "") {
      const cues = segment.cues?.length ? { cues: moveCues(segment, next) } : {};
      segments[at] = { ...segment, ...cues, text: next, words: retime(segment, next) };
    }
  }
  return { ...text, segments };
}

/** Applies a change to each of these segments. */
function withEach<Item extends { segment: SegmentRef }>(
  text: Text,
  items: readonly Item[],
  change: (segment: EditedSegment, item: Item) => EditedSegment,
): Text {
  const segments = text.segments.slice();
  for (const item of items) {
    const at = text.positions.get(item.segment.id);
    const segment = at === undefined ? undefined : segments[at];
    if (at !== undefined && segment) {
      segments[at] = change(segment, item);
    }
  }
  return { ...text, segments };
}

function withInserted(text: Text, op: Extract<EditOp, { kind: "insert" }>): Text {
  const before = op.after ? text.positions.get(op.after.id) : -1;
  const normalized = normalizeText(op.text);
  if (before === undefined || normalized === "" || text.positions.has(op.new_segment)) {
    return text;
  }
  const place = placeBetween(text.segments[before]?.place, text.segments[before + 1]?.place);
  if (!place) {
    return text;
  }
  const { start, end, speaker = null } = op;
  const language = text.segments[before]?.language;
  const line: EditedSegment = {
    id: op.new_segment,
    revision: 0,
    place,
    start,
    end,
    speaker,
    ...(language != null && { language }),
    text: normalized,
    words: [],
  };
  return textOf(text.segments.toSpliced(before + 1, 0, line), text.speakers);
}

/** The place for a line between two others; undefined if there is none. The server's answer has the final place. */
function placeBetween(left: Place | undefined, right: Place | undefined): Place | undefined {
  const base = left?.base ?? right?.base ?? 0;
  const part = left
    ? partBetween(left.part, right?.base === left.base ? right.part : undefined)
    : right
      ? partBefore(right.part)
      : 0;
  return part === undefined ? undefined : { base, part };
}

function withSplit(text: Text, id: string, at: number, newId: string): Text {
  const position = text.positions.get(id);
  const segment = position === undefined ? undefined : text.segments[position];
  if (position === undefined || !segment || text.positions.has(newId)) {
    return text;
  }
  const next = text.segments[position + 1];
  const part = partBetween(segment.place.part, next?.place.base === segment.place.base ? next.place.part : undefined);
  const halves = part === undefined ? undefined : splitSegment(segment, at, newId, part);
  return halves ? textOf(text.segments.toSpliced(position, 1, halves.first, halves.second), text.speakers) : text;
}

function withMerge(text: Text, id: string, nextId: string): Text {
  const position = text.positions.get(id);
  const segment = position === undefined ? undefined : text.segments[position];
  const next = position === undefined ? undefined : text.segments[position + 1];
  if (position === undefined || !segment || next?.id !== nextId) {
    return text;
  }
  return textOf(text.segments.toSpliced(position, 2, mergeSegments(segment, next)), text.speakers);
}

function withoutSegments(text: Text, ids: readonly string[]): Text {
  const removed = new Set(ids);
  const segments = text.segments.filter(({ id }) => !removed.has(id));
  return segments.length === text.segments.length ? text : textOf(segments, text.speakers);
}

function withConfirmed(text: Text, id: string, positions: readonly number[]): Text {
  const at = text.positions.get(id);
  const segment = at === undefined ? undefined : text.segments[at];
  const words = segment && confirmWords(segment, Uint32Array.from(positions));
  return at !== undefined && segment && words ? { ...text, segments: text.segments.with(at, { ...segment, words }) } : text;
}

function withSpeaker(text: Text, ids: readonly string[], speaker: string | null): Text {
  const segments = text.segments.slice();
  for (const id of ids) {
    const at = text.positions.get(id);
    const segment = at === undefined ? undefined : segments[at];
    if (at !== undefined && segment) {
      segments[at] = { ...segment, speaker };
    }
  }
  const known = speaker === null || text.speakers.some(({ id }) => id === speaker);
  return { ...text, segments, speakers: known ? text.speakers : [...text.speakers, { id: speaker, name: null }] };
}
