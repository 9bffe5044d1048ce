/**
 * Sends edits in order, one request at a time, until each is acknowledged. Pending edits are stored in the browser
 * before they are sent, so that a reload, a crash or a lost connection loses none. Independent of React and the text:
 * the owner interprets the answers.
 */
import { ApiError } from "@/api";
import type { Edit, EditAnswer, SegmentChange } from "./model";
import { afterAnswer, enqueue, nextBatch, type Pending } from "./pending";
import { type Direction, isEdit, isStep } from "./steps";

export type SaveStatus = "idle" | "saving" | "saved" | "error";

/** Retry delays in ms; the last one repeats. */
export const BACKOFF_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000] as const;

export interface OutboxParts {
  /** Edits left by an earlier page of this tab. */
  queue: readonly Pending[];
  /** Sends one request. `leaving`: the page is being closed. */
  post: (version: number, edits: Edit[], leaving: boolean) => Promise<EditAnswer>;
  /** Sends a step. */
  step: (direction: Direction, version: number, editId: string) => Promise<EditAnswer>;
  /** Called with the queue after each change, before anything is sent. */
  keep: (queue: readonly Pending[]) => void;
  onStatus: (status: SaveStatus, error?: unknown) => void;
  /** The server has stored these. */
  onDone: (acknowledged: readonly Pending[], answer: EditAnswer) => void;
  /** Others have changed segments of the queue: returns the new queue. */
  onConflict: (conflicts: readonly SegmentChange[]) => readonly Pending[];
  /** The server refuses this edit: returns the queue without it. */
  onRefused: (refused: Pending, error: ApiError) => readonly Pending[];
  /** How long `saved` stays, in ms. */
  shownMs: number;
  /** Resolves when the page has rendered the edits, so that the request does not delay the frame. */
  shown?: (() => Promise<void>) | undefined;
  /** Random number in [0, 1) for the retry jitter. */
  random?: () => number;
}

export interface Outbox {
  queue: () => readonly Pending[];
  add: (pending: Pending) => void;
  /** Removes edits that the events report as stored. */
  acknowledge: (editId: string) => Pending | undefined;
  /** Replaces the queue. */
  replace: (queue: readonly Pending[]) => void;
  /** Sends at once, also after a failure. Resolves when nothing is pending, or when sending failed. */
  flush: () => Promise<void>;
  /** Sends in one request that outlives the page (keepalive). */
  leave: () => void;
  stop: () => void;
}

/** An outbox with the edits of an earlier page. Nothing is sent before `flush` or `add`. */
export function createOutbox(parts: OutboxParts): Outbox {
  let queue: readonly Pending[] = parts.queue;
  let running: Promise<void> | null = null;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let indicatorTimer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  /** After a batch is refused, this many edits are sent one by one, to find the refused one. */
  let alone = 0;
  let stopped = false;

  const change = (next: readonly Pending[]) => {
    queue = next;
    parts.keep(queue);
  };

  const mark = (batch: readonly Pending[]) => {
    const ids = new Set(batch.map(({ edit }) => edit.edit_id));
    change(queue.map((pending) => (ids.has(pending.edit.edit_id) && !pending.sent ? { ...pending, sent: true } : pending)));
  };

  const without = (removed: readonly Pending[]) => {
    const ids = new Set(removed.map(({ edit }) => edit.edit_id));
    return queue.filter(({ edit }) => !ids.has(edit.edit_id));
  };

  const post = (batch: readonly Pending[], leaving: boolean) => {
    const [first] = batch;
    const version = first?.version ?? 0;
    return first && isStep(first.edit.op)
      ? parts.step(first.edit.op.kind, version, first.edit.edit_id)
      : parts.post(
          version,
          batch.filter(isEdit).map(({ edit }) => edit),
          leaving,
        );
  };

  /** Sends one batch; false when it could not be sent. */
  async function sendNext(): Promise<boolean> {
    const batch = nextBatch(queue, alone > 0 ? 1 : undefined);
    mark(batch);
    try {
      const answer = await post(batch, false);
      if (stopped) return false;
      failures = 0;
      alone = Math.max(0, alone - 1);
      change(afterAnswer(without(batch), answer.changes));
      parts.onDone(batch, answer);
      return true;
    } catch (error) {
      return !stopped && heal(error, batch);
    }
  }

  /** Whether to continue after an error. */
  function heal(error: unknown, batch: readonly Pending[]): boolean {
    const [first] = batch;
    const isOfEdits = first !== undefined && isEdit(first);
    const conflicts = isOfEdits && error instanceof ApiError && error.code === "edit_conflict" ? conflictsOf(error) : [];
    if (conflicts.length > 0) {
      // The server is reachable: the next queue is sent at once.
      failures = 0;
      change(parts.onConflict(conflicts));
      return true;
    }
    if (error instanceof ApiError && first && (error.status === 409 || error.status === 422 || error.status === 413)) {
      if (batch.length > 1) {
        alone = batch.length;
        return true;
      }
      alone = Math.max(0, alone - 1);
      change(parts.onRefused(first, error));
      return true;
    }
    if (!(error instanceof ApiError) || error.retryable || error.status >= 500) {
      const step = BACKOFF_MS[Math.min(failures, BACKOFF_MS.length - 1)] ?? 0;
      failures += 1;
      const wait = error instanceof ApiError && error.retryAfter !== null ? error.retryAfter * 1000 : step;
      retry = setTimeout(() => void flush(), wait * (0.75 + (parts.random ?? Math.random)() / 2));
    }
    parts.onStatus("error", error);
    return false;
  }

  async function run(): Promise<void> {
    clearTimeout(indicatorTimer);
    parts.onStatus("saving");
    if (parts.shown) await parts.shown();
    while (queue.length > 0 && !stopped) {
      if (!(await sendNext())) return;
    }
    if (stopped) return;
    parts.onStatus("saved");
    indicatorTimer = setTimeout(() => parts.onStatus("idle"), parts.shownMs);
  }

  function flush(): Promise<void> {
    clearTimeout(retry);
    if (running) return running;
    if (queue.length === 0 || stopped) return Promise.resolve();
    running = run().finally(() => {
      running = null;
    });
    return running;
  }

  return {
    queue: () => queue,
    add(pending) {
      change(enqueue(queue, pending));
      // While the server is unreachable, retries have their own timer.
      if (failures === 0) void flush();
    },
    acknowledge(editId) {
      const found = queue.find(({ edit }) => edit.edit_id === editId);
      if (found && !running) change(without([found]));
      return found;
    },
    replace: change,
    flush,
    leave() {
      const batch = nextBatch(queue);
      if (batch.length === 0 || stopped) return;
      mark(batch);
      // The page may be gone before the answer; unacknowledged edits are resent by the next page.
      post(batch, true).catch(() => {});
    },
    stop() {
      stopped = true;
      clearTimeout(retry);
      clearTimeout(indicatorTimer);
    },
  };
}

/** The segments' state according to the refusal. */
function conflictsOf(error: ApiError): SegmentChange[] {
  const { conflicts } = error.params as { conflicts?: SegmentChange[] };
  return Array.isArray(conflicts) ? conflicts : [];
}
