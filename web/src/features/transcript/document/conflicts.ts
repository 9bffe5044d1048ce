/** Resolves edits that conflict with another author's: equivalent ones are resent, of two texts the user chooses. */
import { apply, applyChanges, normalizeText, segmentOf, textOf } from "./apply";
import type { EditedSegment, EditOp, SegmentRef } from "./model";
import { lastTextOf, type Pending, rebase, type SegmentSnapshot, touchedBy } from "./pending";
import { sameManualCues } from "./share-unchanged";
import { isEdit, withoutUndone } from "./steps";

/** Two texts of one segment for the user to choose from. */
export interface Conflict {
  /** The segment. */
  id: string;
  /** The common base text; absent in conflicts stored by an older page. */
  base?: string | undefined;
  mine: string;
  /** The server's text; null: the segment was removed. */
  theirs: EditedSegment | null;
  /** Another author was faster, or the server refuses the text. */
  reason: "changed" | "refused";
}

export interface ResolvedQueue {
  queue: Pending[];
  conflicts: Conflict[];
  /** Some edits could not be kept and contain no text: the reader is told to repeat them. */
  dropped: boolean;
}

export interface ResolveParts {
  /** Segments that have changed since the edits in the queue were made. */
  changed: ReadonlySet<string>;
  /** The segment on the server; null: it does not exist. */
  now: (id: string) => EditedSegment | null;
  /** The page's text of these segments, joined in their order. */
  mine: (ids: readonly string[]) => string;
  /** The last segment on the server that begins at or before this second; null: there is none. */
  behind: (seconds: number) => SegmentRef | null;
  newId: () => string;
}

/**
 * Sorts a queue after the server has reported changed segments. If the sides changed different things (a text here, a
 * speaker there), the edit is rebased; if both changed the text, it becomes a conflict; edits built on that are dropped
 * with it, keeping their text.
 */
export function resolveConflicts(waiting: readonly Pending[], parts: ResolveParts): ResolvedQueue {
  const { changed, now, mine, newId } = parts;
  // An undone edit is no conflict.
  const queue = withoutUndone(waiting, ({ edit }) => touchedBy(edit.op).some((id) => changed.has(id)), newId);
  /** Segments whose edits cannot be kept, by the segment that they come from. */
  const lost = new Map<string, string>();
  /** Segments whose new times were dropped, so that they are not where later edits expect them. */
  const unmoved = new Set<string>();
  const conflicts = new Set<string>();
  const remaining: Pending[] = [];
  let dropped = false;
  /** The server's state of these segments with the kept edits applied: the base for the next edit. */
  let over = applyChanges(
    textOf([], []),
    queue.flatMap(({ edit }) => touchedBy(edit.op)).map((id) => ({ id, segment: now(id) })),
  );
  const rootOf = (id: string) => lost.get(id) ?? id;
  const keep = (pending: Pending, op: EditOp) => {
    remaining.push(pending);
    over = apply(over, op);
  };
  const requeue = (pending: Pending, op: EditOp) => {
    const next = { ...pending, sent: false, edit: { edit_id: newId(), op } };
    keep(
      rebase(next, (id) => (changed.has(id) ? now(id)?.revision : undefined)),
      op,
    );
  };
  for (const pending of queue) {
    if (!isEdit(pending)) {
      remaining.push(pending);
      continue;
    }
    const { op } = pending.edit;
    const ids = touchedBy(op);
    if (op.kind === "insert" && op.after && changed.has(op.after.id) && !now(op.after.id)) {
      // The preceding line was removed; the new line is still valid.
      requeue(pending, { ...op, after: parts.behind(op.start) });
      continue;
    }
    if (op.kind === "insert" && changed.has(op.new_segment) && !now(op.new_segment)) {
      // There is no line for it: the text written into it is kept, including later edits.
      conflicts.add(op.new_segment);
      lost.set(op.new_segment, op.new_segment);
      continue;
    }
    const isOther = (id: string) => changed.has(id) || unmoved.has(id);
    const isBlocked = (id: string) =>
      lost.has(id) || (isOther(id) && !meansTheSame(op.kind, pending.seen[id], segmentOf(over, id)));
    if (!ids.some((id) => lost.has(id) || isOther(id))) {
      keep(pending, op);
    } else if (!ids.some(isBlocked)) {
      requeue(pending, op);
    } else if (op.kind === "set_text" || op.kind === "replace") {
      for (const id of ids.filter(isBlocked)) {
        conflicts.add(rootOf(id));
        lost.set(id, rootOf(id));
      }
      const free = op.kind === "replace" ? op.segments.filter(({ segment }) => !lost.has(segment.id)) : [];
      if (free.length > 0) {
        requeue(pending, { kind: "replace", segments: free });
      }
    } else if (op.kind === "set_cues" || op.kind === "correct_cues" || op.kind === "set_times") {
      // No text depends on these: later texts are checked separately.
      dropped = true;
      const free = op.kind === "correct_cues" ? op.segments.filter(({ segment }) => !isBlocked(segment.id)) : [];
      if (free.length > 0) {
        requeue(pending, { kind: "correct_cues", segments: free });
      }
      for (const id of op.kind === "set_times" ? ids : []) {
        unmoved.add(id);
      }
    } else {
      dropped = true;
      const root = rootOf(ids[0] ?? "");
      for (const id of ids) {
        lost.set(id, op.kind === "set_speaker" ? rootOf(id) : root);
      }
    }
  }
  const family = (root: string) => [root, ...[...lost].flatMap(([id, of]) => (of === root && id !== root ? [id] : []))];
  return {
    queue: remaining,
    dropped,
    conflicts: [...conflicts].flatMap((id) => {
      const theirs = now(id);
      // The shown text lacks a line that was already removed.
      const text = normalizeText(mine(family(id))) || normalizeText(lastTextOf(queue, id));
      const base = queue.find(({ seen }) => seen[id])?.seen[id]?.text;
      return text === theirs?.text ? [] : [{ id, base, mine: text, theirs, reason: "changed" as const }];
    }),
  };
}

/** Whether the edit means the same on top of the other author's state. */
function meansTheSame(kind: EditOp["kind"], snapshot: SegmentSnapshot | undefined, current: EditedSegment | undefined): boolean {
  if (!snapshot || !current) {
    return false;
  }
  switch (kind) {
    case "set_speaker":
      return (current.speaker ?? null) === snapshot.speaker;
    case "set_times":
      return sameSpan(snapshot, current);
    case "set_cues":
    case "correct_cues":
      // Its offsets refer to the text, its times to the speech, and it replaces earlier manual subtitles.
      return (
        current.text === snapshot.text && sameSpan(snapshot, current) && sameManualCues(snapshot.cues, current.cues, sameTime)
      );
    default:
      return current.text === snapshot.text;
  }
}

/** Smaller differences in seconds are ignored: times are stored in milliseconds. */
const SAME_SECONDS = 0.0005;
const sameTime = (one: number, other: number): boolean => Math.abs(one - other) < SAME_SECONDS;

const sameSpan = ({ span }: SegmentSnapshot, current: EditedSegment): boolean =>
  span !== undefined && sameTime(span[0], current.start) && sameTime(span[1], current.end);
