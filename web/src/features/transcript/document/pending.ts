/** Edits that the server has not acknowledged yet: the segments they touch, how they are batched, and their results. */
import { MAX_EDITS } from "@/rules/constants";
import type { Text } from "./apply";
import type { EditOp, HandCue, SegmentChange, SegmentRef } from "./model";
import { isStep, type StepOp } from "./steps";

/** A segment as its author saw it before the edit. */
export interface SegmentSnapshot {
  text: string;
  speaker: string | null;
  /** Its start and end; absent if stored by an older page. */
  span?: readonly [start: number, end: number];
  /** Its manual subtitles; absent if it had none. */
  cues?: readonly HandCue[];
}

/** A pending edit, or a pending undo or redo. */
export interface Pending {
  edit: { edit_id: string; op: EditOp | StepOp };
  /** The recognition run that it edits. */
  version: number;
  /** It may have reached the server, so it must not be changed: a new text is a new edit. */
  sent: boolean;
  /** The segments before the edit, by id; used to detect conflicts. */
  seen: Record<string, SegmentSnapshot>;
  /** The server has refused it once; this is its second and last attempt. */
  retried?: boolean;
}

/** The segments that an edit names, each with the revision that its author saw. */
export function refsOf(op: EditOp | StepOp): SegmentRef[] {
  switch (op.kind) {
    case "set_text":
    case "split":
    case "confirm_words":
    case "set_cues":
      return [op.segment];
    case "merge":
      return [op.segment, op.next];
    case "replace":
    case "correct_cues":
      return op.segments.map(({ segment }) => segment);
    case "set_times":
      return op.times.map(({ segment }) => segment);
    case "remove":
    case "set_speaker":
      return op.segments;
    // The line before it may be another one by then.
    case "insert":
    case "rename_speaker":
    case "merge_speakers":
    case "bring_back":
    case "put_back":
    case "undo":
    case "redo":
      return [];
  }
}

/** Ids of all segments changed by the edit. */
export function touchedBy(op: EditOp | StepOp): string[] {
  const ids = refsOf(op).map(({ id }) => id);
  return op.kind === "split" || op.kind === "insert"
    ? [...ids, op.new_segment]
    : op.kind === "put_back"
      ? op.segments.map(({ id }) => id)
      : ids;
}

/**
 * The first edits of the queue that can be sent together: of one run, no segment twice, in order. A step is sent alone.
 */
export function nextBatch(queue: readonly Pending[], most = MAX_EDITS): Pending[] {
  const touched = new Set<string>();
  const batch: Pending[] = [];
  for (const pending of queue) {
    if (isStep(pending.edit.op)) {
      return batch.length > 0 ? batch : [pending];
    }
    const ids = touchedBy(pending.edit.op);
    if (batch.length >= most || pending.version !== queue[0]?.version || ids.some((id) => touched.has(id))) {
      break;
    }
    for (const id of ids) {
      touched.add(id);
    }
    batch.push(pending);
  }
  return batch;
}

/** The last text that the queue sets for a segment; empty if it sets none. */
export function lastTextOf(queue: readonly Pending[], id: string): string {
  const texts = queue.flatMap(({ edit: { op } }) =>
    op.kind === "insert"
      ? [{ id: op.new_segment, text: op.text }]
      : op.kind === "set_text" || op.kind === "replace"
        ? (op.kind === "replace" ? op.segments : [op]).map(({ segment, text }) => ({ id: segment.id, text }))
        : [],
  );
  return texts.findLast((candidate) => candidate.id === id)?.text ?? "";
}

/** The edit with new revisions where `revisionOf` knows one. */
export function rebase(pending: Pending, revisionOf: (id: string) => number | undefined): Pending {
  const ref = (old: SegmentRef): SegmentRef => ({ id: old.id, revision: revisionOf(old.id) ?? old.revision });
  return { ...pending, edit: { ...pending.edit, op: withRefs(pending.edit.op, ref) } };
}

function withRefs(op: EditOp | StepOp, ref: (old: SegmentRef) => SegmentRef): EditOp | StepOp {
  switch (op.kind) {
    case "set_text":
    case "split":
    case "confirm_words":
    case "set_cues":
      return { ...op, segment: ref(op.segment) };
    case "merge":
      return { ...op, segment: ref(op.segment), next: ref(op.next) };
    case "replace":
      return { ...op, segments: op.segments.map((entry) => ({ ...entry, segment: ref(entry.segment) })) };
    case "correct_cues":
      return { ...op, segments: op.segments.map((entry) => ({ ...entry, segment: ref(entry.segment) })) };
    case "set_times":
      return { ...op, times: op.times.map((span) => ({ ...span, segment: ref(span.segment) })) };
    case "remove":
    case "set_speaker":
      return { ...op, segments: op.segments.map(ref) };
    case "insert":
    case "rename_speaker":
    case "merge_speakers":
    case "bring_back":
    case "put_back":
    case "undo":
    case "redo":
      return op;
  }
}

/** The rest of the queue after an answer: it was based on the answered edits, so it gets their revisions. */
export function afterAnswer(queue: readonly Pending[], changes: readonly SegmentChange[]): Pending[] {
  const revisions = new Map(changes.flatMap(({ id, segment }) => (segment ? [[id, segment.revision] as const] : [])));
  if (revisions.size === 0) {
    return [...queue];
  }
  return queue.map((pending) => (pending.sent ? pending : rebase(pending, (id) => revisions.get(id))));
}

/** The queue with another edit. A new text replaces an unsent text of the same segment. */
export function enqueue(queue: readonly Pending[], next: Pending): Pending[] {
  const { op } = next.edit;
  if (op.kind === "set_text") {
    const at = queue.findLastIndex((pending) => touchedBy(pending.edit.op).includes(op.segment.id));
    const before = queue[at];
    const isLast = !queue.slice(at + 1).some((pending) => isStep(pending.edit.op));
    if (before && isLast && !before.sent && before.edit.op.kind === "set_text" && before.version === next.version) {
      const edit = { ...before.edit, op: { ...before.edit.op, text: op.text } };
      return queue.with(at, { ...before, edit });
    }
  }
  return [...queue, next];
}

/** The state of the segments that the edit names, as its author saw it. */
export function snapshotOf(text: Text, op: EditOp): Record<string, SegmentSnapshot> {
  const snapshots: Record<string, SegmentSnapshot> = {};
  for (const { id } of refsOf(op)) {
    const at = text.positions.get(id);
    const segment = at === undefined ? undefined : text.segments[at];
    if (segment) {
      const { start, end, speaker = null, cues } = segment;
      snapshots[id] = { text: segment.text, speaker, span: [start, end], ...(cues?.length && { cues }) };
    }
  }
  return snapshots;
}
