/**
 * The text of a job that is being edited. The reader's edits are shown at once and sent by the outbox; the server's
 * answers and others' edits become the new base for pending edits. One store per page and run; it is discarded with the
 * page.
 */
import { createStore, type StoreApi } from "zustand/vanilla";
import { ApiError } from "@/api";
import { newUuid } from "@/lib/tab-client";
import { apply, applyChanges, normalizeText, segmentOf, type Text, textOf } from "./apply";
import { type Conflict, resolveConflicts } from "./conflicts";
import type { DocumentActions, DocumentParts, DocumentState, DocumentStore } from "./document-types";
import { type Draft, editOf } from "./edit-storage";
import type { EditAnswer, EditOp, SegmentChange, SegmentRef, Speaker, StoredEdit } from "./model";
import { createOutbox, type Outbox } from "./outbox";
import { afterAnswer, type Pending, snapshotOf } from "./pending";
import { shareUnchanged } from "./share-unchanged";
import { type Direction, isStep, type PendingEdit, replaySteps, withoutUndone } from "./steps";

export type { DocumentState, DocumentStore, Notice } from "./document-types";

/** A document over a transcript, with the edits left by an earlier page of this tab. */
export function createDocument(parts: DocumentParts): DocumentStore {
  const { transcript, editStorage } = parts;
  const restored = editStorage.take();
  const server = textOf(transcript.segments, transcript.speakers);
  const queue = restored.draft ? [...restored.queue, editOf(restored.draft)] : restored.queue;
  const { stand, undone } = replaySteps(queue);
  const store = createStore<DocumentState>()(() => ({
    ...withPendingEdits(server, queue, transcript.version),
    version: transcript.version,
    seq: transcript.seq,
    status: "idle",
    error: null,
    kept: editStorage.durable(),
    draft: null,
    conflicts: restored.conflicts,
    canUndo: transcript.can_undo || stand.length > 0,
    canRedo: transcript.can_redo || undone.length > 0,
    recognisedAgain: null,
  }));
  const work = new DocumentInternals(parts, store, server, queue);
  if (restored.draft) {
    editStorage.keepQueue(queue, restored.conflicts);
    editStorage.storeDraft(null);
  }
  void work.outbox.flush();
  return Object.assign(store, { actions: work.actions() });
}

/** The server's text with pending edits applied. */
function withPendingEdits(server: Text, queue: readonly Pending[], version: number): Text {
  const { stand } = replaySteps(queue.filter((pending) => pending.version === version));
  return stand.reduce((text, pending) => apply(text, pending.edit.op), server);
}

/** The internals of one store. */
class DocumentInternals {
  readonly outbox: Outbox;
  #server: Text;
  /** The edit number of each segment's known state: later answers about older edits are ignored. */
  readonly #toldAt = new Map<string, number>();
  /** Undo and redo run one after another, in the order of the requests. */
  #steps: Promise<void> = Promise.resolve();
  #typing: ReturnType<typeof setTimeout> | undefined;
  readonly #newId: () => string;

  constructor(
    readonly parts: DocumentParts,
    readonly store: StoreApi<DocumentState>,
    server: Text,
    queue: readonly Pending[],
  ) {
    this.#server = server;
    this.#newId = parts.newId ?? (() => newUuid());
    this.outbox = createOutbox({
      queue,
      post: parts.calls.send,
      step: parts.calls.step,
      keep: (next) => parts.editStorage.keepQueue(next, store.getState().conflicts),
      onStatus: (status, error = null) => store.setState({ status, error, kept: parts.editStorage.durable() }),
      onDone: (acknowledged, answer) => this.#done(acknowledged, answer),
      onConflict: (changes) => this.#settle(changes),
      onRefused: (refused, error) => this.#refused(refused, error),
      shownMs: parts.shownMs,
      shown: parts.shown,
    });
  }

  actions(): DocumentActions {
    return {
      edit: (op) => this.#edit(op),
      type: (id, text) => this.#type(id, text),
      commit: () => this.#commit(),
      cancel: (id) => this.#cancel(id),
      undo: () => this.#inTurn("undo"),
      redo: () => this.#inTurn("redo"),
      flush: () => {
        this.#commit();
        return this.outbox.flush();
      },
      leave: () => {
        this.#commit();
        this.outbox.leave();
      },
      receive: (edits) => this.#receive(edits),
      resolve: (id, text) => this.#resolve(id, text),
      unsaved: () => this.#waiting() > 0,
      waiting: () => this.#waiting(),
      stop: () => {
        clearTimeout(this.#typing);
        this.outbox.stop();
      },
    };
  }

  #waiting(): number {
    return this.outbox.queue().length + (this.store.getState().draft === null ? 0 : 1);
  }

  /** Shows the server's text with pending edits applied. */
  #show(more: Partial<DocumentState> = {}): void {
    this.store.setState((state) => ({ ...this.#seen(state, this.outbox.queue()), ...more }));
  }

  /** The server's text with a queue applied; unchanged parts stay the same objects. */
  #seen(state: DocumentState, queue: readonly Pending[]): Text {
    return shareUnchanged(state, withPendingEdits(this.#server, queue, state.version));
  }

  #edit(op: EditOp): void {
    this.#commit();
    const state = this.store.getState();
    const pending: Pending = {
      edit: { edit_id: this.#newId(), op },
      version: state.version,
      sent: false,
      seen: snapshotOf(state, op),
    };
    this.store.setState({ ...apply(state, op), canUndo: true, canRedo: false });
    this.outbox.add(pending);
  }

  #type(id: string, text: string): void {
    const state = this.store.getState();
    if (state.draft && state.draft.id !== id) {
      this.#commit();
    }
    const segment = segmentOf(this.store.getState(), id);
    if (!segment) {
      return;
    }
    const startedDraft = this.store.getState().draft ?? {
      id,
      revision: segment.revision,
      version: state.version,
      before: segment.text,
    };
    const draft: Draft | null = normalizeText(text) === startedDraft.before ? null : { ...startedDraft, text };
    this.parts.editStorage.storeDraft(draft);
    this.store.setState({ draft, kept: this.parts.editStorage.durable() });
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => this.#commit(), this.parts.delayMs);
  }

  #commit(): void {
    clearTimeout(this.#typing);
    const { draft, version } = this.store.getState();
    if (!draft) {
      return;
    }
    const text = normalizeText(draft.text);
    // A segment cannot be empty; the field shows an error, and the old text is kept.
    if (text === "") {
      return;
    }
    const pending: PendingEdit = {
      edit: {
        edit_id: this.#newId(),
        op: { kind: "set_text", segment: { id: draft.id, revision: draft.revision }, text },
      },
      version,
      sent: false,
      seen: { [draft.id]: { text: draft.before, speaker: null } },
    };
    this.store.setState((state) => ({ ...apply(state, pending.edit.op), draft: null, canUndo: true, canRedo: false }));
    this.outbox.add(pending);
    this.parts.editStorage.storeDraft(null);
    this.store.setState({ kept: this.parts.editStorage.durable() });
  }

  #cancel(id: string): void {
    clearTimeout(this.#typing);
    if (this.store.getState().draft?.id === id) {
      this.store.setState({ draft: null });
      this.parts.editStorage.storeDraft(null);
    }
    // Edits that wait because the server is unreachable are not saved either.
    const isUnsaved = (pending: Pending) =>
      !pending.sent && pending.edit.op.kind === "set_text" && pending.edit.op.segment.id === id;
    if (this.outbox.queue().some(isUnsaved)) {
      const queue = withoutUndone(this.outbox.queue(), () => false, this.#newId);
      this.outbox.replace(queue.filter((pending) => !isUnsaved(pending)));
      this.#show();
    }
  }

  #done(acknowledged: readonly Pending[], answer: EditAnswer): void {
    for (const { edit, version } of acknowledged) {
      if (edit.op.kind === "merge_speakers" && version === this.store.getState().version) {
        this.#server = apply(this.#server, edit.op);
      }
    }
    this.#take(answer, acknowledged.length);
  }

  /** Stores the segments changed by this edit, except those with a newer known state. */
  #learn(seq: number, changes: readonly SegmentChange[], speakers?: readonly Speaker[] | null): void {
    const news = changes.filter(({ id }) => (this.#toldAt.get(id) ?? 0) <= seq);
    for (const { id } of news) {
      this.#toldAt.set(id, seq);
    }
    this.#server = applyChanges(this.#server, news, speakers);
  }

  /** Adopts an answer about this run, for so many edits, as the new base of pending edits. */
  #take(answer: EditAnswer, edits: number): void {
    this.#learn(answer.seq, answer.changes, answer.speakers);
    const { seq } = this.store.getState();
    this.#show({
      // If others have edited in between, the events must still deliver their edits: they continue after the last known
      // one.
      seq: answer.seq > seq + edits ? seq : Math.max(seq, answer.seq),
      canUndo: answer.can_undo || this.outbox.queue().length > 0,
      canRedo: answer.can_redo,
    });
    this.#moveDraft(answer.changes);
  }

  /** A draft based on one's own unacknowledged edit is now based on the acknowledged one. */
  #moveDraft(changes: readonly SegmentChange[]): void {
    const { draft } = this.store.getState();
    const current = changes.find(({ id }) => id === draft?.id)?.segment;
    if (draft && current && current.text === draft.before) {
      this.store.setState({ draft: { ...draft, revision: current.revision } });
    }
  }

  #settle(changes: readonly SegmentChange[]): readonly Pending[] {
    // Text typed on top of it belongs to the same choice.
    if (changes.some(({ id }) => id === this.store.getState().draft?.id)) {
      this.#commit();
    }
    const displayed = this.store.getState();
    this.#server = applyChanges(this.#server, changes);
    return this.#sorted(new Set(changes.map(({ id }) => id)), displayed, "changed");
  }

  /** The remaining queue when these segments differ from what its authors saw. */
  #sorted(changed: ReadonlySet<string>, displayed: Text, reason: Conflict["reason"]): readonly Pending[] {
    const settled = resolveConflicts(this.outbox.queue(), {
      changed,
      now: (id) => segmentOf(this.#server, id) ?? null,
      mine: (ids) =>
        ids
          .flatMap((id) => displayed.positions.get(id) ?? [])
          .sort((a, b) => a - b)
          .map((at) => displayed.segments[at]?.text ?? "")
          .join(" "),
      behind: (seconds) => this.#behind(seconds),
      newId: this.#newId,
    });
    if (settled.dropped) {
      this.parts.onNotice("dropped");
    }
    this.#addConflicts(
      settled.conflicts.map((conflict) => ({ ...conflict, reason })),
      settled.queue,
    );
    return settled.queue;
  }

  #behind(seconds: number): SegmentRef | null {
    const line = this.#server.segments.findLast(({ start }) => start <= seconds);
    return line ? { id: line.id, revision: line.revision } : null;
  }

  /**
   * A refused new line is sent once more, at a place that is free now and without a speaker; if that fails too, its
   * text is kept.
   */
  #insertRefused(refused: Pending, op: Extract<EditOp, { kind: "insert" }>): readonly Pending[] {
    if (refused.retried) {
      if (this.store.getState().draft?.id === op.new_segment) {
        this.#commit();
      }
      return this.#sorted(new Set([op.new_segment]), this.store.getState(), "refused");
    }
    const next: EditOp = { ...op, after: this.#behind(op.start), speaker: null };
    const retry: Pending = { ...refused, edit: { edit_id: this.#newId(), op: next }, sent: false, retried: true };
    const isIt = ({ edit }: Pending) => edit.edit_id === refused.edit.edit_id;
    const queue = withoutUndone(this.outbox.queue(), isIt, this.#newId).map((pending) => (isIt(pending) ? retry : pending));
    this.#addConflicts([], queue);
    return queue;
  }

  #refused(refused: Pending, error: ApiError): readonly Pending[] {
    const { op, edit_id } = refused.edit;
    if (isStep(op)) {
      this.#stepFailed(op.kind, error);
      return this.outbox.queue().filter(({ edit }) => edit.edit_id !== edit_id);
    }
    if (op.kind === "insert") {
      return this.#insertRefused(refused, op);
    }
    const settled = withoutUndone(this.outbox.queue(), ({ edit }) => edit.edit_id === edit_id, this.#newId);
    const queue = settled.filter(({ edit }) => edit.edit_id !== edit_id);
    if (queue.length === settled.length) {
      // It was undone while pending.
      return queue;
    }
    const texts = op.kind === "set_text" ? [op] : op.kind === "replace" ? op.segments : [];
    this.#addConflicts(
      texts.map(({ segment, text }) => ({
        id: segment.id,
        base: refused.seen[segment.id]?.text,
        mine: normalizeText(text),
        theirs: segmentOf(this.#server, segment.id) ?? null,
        reason: "refused" as const,
      })),
      queue,
    );
    if (texts.length === 0) {
      this.parts.onNotice(error.code === "split_too_deep" ? "too_deep" : "dropped", error);
    }
    return queue;
  }

  #addConflicts(more: readonly Conflict[], queue: readonly Pending[]): void {
    const ids = new Set(more.map(({ id }) => id));
    const conflicts = [...this.store.getState().conflicts.filter(({ id }) => !ids.has(id)), ...more];
    this.store.setState((state) => ({ conflicts, ...this.#seen(state, queue) }));
    this.parts.editStorage.keepQueue(queue, conflicts);
  }

  #resolve(id: string, text: string | null): void {
    const conflicts = this.store.getState().conflicts.filter((conflict) => conflict.id !== id);
    this.store.setState({ conflicts });
    this.parts.editStorage.keepQueue(this.outbox.queue(), conflicts);
    const segment = segmentOf(this.store.getState(), id);
    if (text !== null && segment) {
      this.#edit({ kind: "set_text", segment: { id, revision: segment.revision }, text: normalizeText(text) });
    }
  }

  #inTurn(direction: Direction): Promise<void> {
    this.#steps = this.#steps.then(() => this.#step(direction));
    return this.#steps;
  }

  async #step(direction: Direction): Promise<void> {
    this.#commit();
    await this.outbox.flush();
    if (this.outbox.queue().length > 0) {
      this.#stepLater(direction);
      return;
    }
    const { version } = this.store.getState();
    try {
      this.#take(await this.parts.calls.step(direction, version, this.#newId()), 1);
    } catch (error) {
      this.#stepFailed(direction, error);
    }
  }

  /** The server is unreachable: unsent edits are undone here, sent ones later on the server. */
  #stepLater(direction: Direction): void {
    const { version, error } = this.store.getState();
    const { stand, undone } = replaySteps(this.outbox.queue());
    const available = direction === "undo" ? stand : undone;
    if (available.length === 0) {
      this.parts.onNotice("step_failed", error);
      return;
    }
    this.outbox.add({ edit: { edit_id: this.#newId(), op: { kind: direction } }, version, sent: false, seen: {} });
    const canGoOn = available.length > 1;
    this.#show(direction === "undo" ? { canUndo: canGoOn, canRedo: true } : { canRedo: canGoOn, canUndo: true });
  }

  #stepFailed(direction: Direction, error: unknown): void {
    const code = error instanceof ApiError ? error.code : "";
    if (code === "nothing_to_undo" || code === "nothing_to_redo") {
      this.store.setState(direction === "undo" ? { canUndo: false } : { canRedo: false });
      this.parts.onNotice(code);
    } else {
      this.parts.onNotice(code === "edit_conflict" ? "undo_conflict" : "step_failed", error);
    }
  }

  #receive(edits: readonly StoredEdit[]): void {
    const known = this.store.getState().seq;
    const news = edits.filter(({ seq }) => seq > known);
    const last = news.at(-1);
    if (!last) {
      return;
    }
    for (const edit of news) {
      const mine = this.outbox.acknowledge(edit.edit_id);
      if (mine) {
        this.outbox.replace(afterAnswer(this.outbox.queue(), edit.changes));
      } else if (edit.kind === "merge_speakers" && edit.changes.length === 0) {
        this.parts.onStale();
      }
      this.#learn(edit.seq, edit.changes, edit.speakers);
    }
    // An edit that the server made for this page, such as a stretch recognised again, can be undone here.
    const own = news.findLast(({ client, kind }) => client === this.parts.client && kind === "recognise_again");
    this.#show({ seq: last.seq, ...(own && { canUndo: true, canRedo: false, recognisedAgain: own.seq }) });
    const { draft } = this.store.getState();
    if (draft && news.some(({ changes }) => changes.some(({ id }) => id === draft.id))) {
      // Both texts are shown while the user still remembers what they were writing.
      this.#commit();
    }
  }
}
