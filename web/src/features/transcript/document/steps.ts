/**
 * Undo and redo of edits that have not reached the server. Steps are in the same queue after the edits they undo, so
 * that the server gets everything in order; until then the page shows the result.
 */
import type { Edit, EditOp } from "./model";
import type { Pending } from "./pending";

/** A step that undoes or redoes earlier edits. */
export interface StepOp {
  kind: "undo" | "redo";
}

export type Direction = StepOp["kind"];

/** Whether it is a step, not an edit. */
export const isStep = (op: EditOp | StepOp): op is StepOp => op.kind === "undo" || op.kind === "redo";

/** A pending edit, not a step. */
export type PendingEdit = Pending & { edit: Edit };

export const isEdit = (pending: Pending): pending is PendingEdit => !isStep(pending.edit.op);

interface ReplayedSteps {
  /** The effective edits, in order. */
  stand: readonly PendingEdit[];
  /** Edits that can be redone, the next one last. */
  undone: readonly PendingEdit[];
  /** Steps for edits that are no longer in the queue, because they have reached the server. */
  orphans: ReadonlySet<Pending>;
}

/** The result of a queue's steps. */
export function replaySteps(queue: readonly Pending[]): ReplayedSteps {
  const stand: PendingEdit[] = [];
  let undone: PendingEdit[] = [];
  const orphans = new Set<Pending>();
  for (const pending of queue) {
    if (isEdit(pending)) {
      stand.push(pending);
      undone = [];
      continue;
    }
    const [from, to] = pending.edit.op.kind === "undo" ? [stand, undone] : [undone, stand];
    const last = from.pop();
    if (last) {
      to.push(last);
    } else {
      orphans.add(pending);
    }
  }
  return { stand, undone, orphans };
}

/**
 * The queue without edits that were undone in it. Edits that may have reached the server stay, followed by an undo,
 * except those that are `lost` there. Undone edits cannot be redone afterwards.
 */
export function withoutUndone(
  queue: readonly Pending[],
  lost: (pending: PendingEdit) => boolean,
  newId: () => string,
): Pending[] {
  const { stand, orphans } = replaySteps(queue);
  if (queue.every(isEdit)) {
    return [...queue];
  }
  const standing = new Set<Pending>(stand);
  return queue.flatMap((pending): Pending[] => {
    if (!isEdit(pending)) {
      return orphans.has(pending) ? [pending] : [];
    }
    if (standing.has(pending)) {
      return [pending];
    }
    const undo: Pending = { edit: { edit_id: newId(), op: { kind: "undo" } }, version: pending.version, sent: false, seen: {} };
    return pending.sent && !lost(pending) ? [pending, undo] : [];
  });
}

/** Another tab's queue for this tab, without steps for stored edits, which would undo edits of this tab. */
export function withoutOrphans(queue: readonly Pending[]): Pending[] {
  const { orphans } = replaySteps(queue);
  return queue.filter((pending) => !orphans.has(pending));
}
