/**
 * Undo and redo of edits that have not reached the server. They wait in the same queue behind what they take back, so that
 * the server hears of everything in the order in which it was done; until then the page shows what comes out of it.
 */
import type { Edit, EditOp } from "./model";
import type { Pending } from "./pending";

/** A step that undoes or redoes earlier edits. */
export interface StepOp {
  kind: "undo" | "redo";
}

export type Direction = StepOp["kind"];

/** Whether it is a step and no edit. */
export const isStep = (op: EditOp | StepOp): op is StepOp => op.kind === "undo" || op.kind === "redo";

/** An edit on its way, and none of the steps. */
export type PendingEdit = Pending & { edit: Edit };

export const isEdit = (one: Pending): one is PendingEdit => !isStep(one.edit.op);

interface Gone {
  /** The effective edits, in order. */
  stand: readonly PendingEdit[];
  /** Edits that can be redone, the next one last. */
  undone: readonly PendingEdit[];
  /** Steps through what is no longer in the queue, for it has reached the server. */
  orphans: ReadonlySet<Pending>;
}

/** What becomes of a queue by its own steps. */
export function goThrough(queue: readonly Pending[]): Gone {
  const stand: PendingEdit[] = [];
  let undone: PendingEdit[] = [];
  const orphans = new Set<Pending>();
  for (const one of queue) {
    if (isEdit(one)) {
      stand.push(one);
      undone = [];
      continue;
    }
    const [from, to] = one.edit.op.kind === "undo" ? [stand, undone] : [undone, stand];
    const last = from.pop();
    if (last) {
      to.push(last);
    } else {
      orphans.add(one);
    }
  }
  return { stand, undone, orphans };
}

/**
 * The queue without what was undone in it. What may have reached the server stays, with an undo of its own behind it, but
 * for what is `lost` there. What was undone cannot be done again after that.
 */
export function settledSteps(queue: readonly Pending[], lost: (one: PendingEdit) => boolean, newId: () => string): Pending[] {
  const { stand, orphans } = goThrough(queue);
  if (queue.every(isEdit)) {
    return [...queue];
  }
  const standing = new Set<Pending>(stand);
  return queue.flatMap((one): Pending[] => {
    if (!isEdit(one)) {
      return orphans.has(one) ? [one] : [];
    }
    if (standing.has(one)) {
      return [one];
    }
    const undo: Pending = { edit: { edit_id: newId(), op: { kind: "undo" } }, version: one.version, sent: false, seen: {} };
    return one.sent && !lost(one) ? [one, undo] : [];
  });
}

/** The queue of another tab for this one: a step through what that tab has stored would take back something of this one. */
export function withoutOrphans(queue: readonly Pending[]): Pending[] {
  const { orphans } = goThrough(queue);
  return queue.filter((one) => !orphans.has(one));
}
