/** What a document is made of, what it says of itself, and what can be done to it. */
import type { StoreApi } from "zustand/vanilla";
import type { Text } from "./apply";
import type { Conflict } from "./conflicts";
import type { Edit, EditAnswer, EditedTranscript, EditOp, StoredEdit } from "./model";
import type { SaveStatus } from "./outbox";
import type { Draft, Shelf } from "./shelf";
import type { Direction } from "./steps";

/** The calls of the API that a document makes. */
export interface DocumentCalls {
  send: (version: number, edits: Edit[], leaving: boolean) => Promise<EditAnswer>;
  step: (direction: Direction, version: number, editId: string) => Promise<EditAnswer>;
}

/** What the page is told once, in a message at its edge. */
export type Notice = "nothing_to_undo" | "nothing_to_redo" | "undo_conflict" | "step_failed" | "dropped" | "too_deep";

export interface DocumentParts {
  transcript: EditedTranscript;
  /** This tab's name in the journal. */
  client: string;
  calls: DocumentCalls;
  shelf: Shelf;
  /** From the last key to the save, and how long `saved` stays, in ms. */
  delayMs: number;
  shownMs: number;
  /** Settles when the page has shown an edit; sent is what is shown. */
  shown?: () => Promise<void>;
  onNotice: (notice: Notice, error?: unknown) => void;
  /** What has happened cannot be told from the events: the text must be read again. */
  onStale: () => void;
  newId?: () => string;
}

export interface DocumentState extends Text {
  version: number;
  /** The last edit that is known here. */
  seq: number;
  status: SaveStatus;
  /** Why it could not be saved. */
  error: unknown;
  /** Whether the browser holds what has not reached the server; if not, it ends with the page. */
  kept: boolean;
  /** What is being typed; null if the user is not typing, and after it has become an edit. */
  draft: Draft | null;
  conflicts: readonly Conflict[];
  canUndo: boolean;
  canRedo: boolean;
}

export interface DocumentActions {
  /** Does it, and sends it. */
  edit: (op: EditOp) => void;
  /** Takes the text of a segment as it stands after another key. */
  type: (id: string, text: string) => void;
  /** Makes an edit of what has been typed, and sends it. */
  commit: () => void;
  /** Gives the last saved text of the segment back. */
  cancel: (id: string) => void;
  undo: () => Promise<void>;
  redo: () => Promise<void>;
  /** Sends what waits, also after a failure. */
  flush: () => Promise<void>;
  /** The page is about to be gone. */
  leave: () => void;
  /** Others' edits, as the events tell them. */
  receive: (edits: readonly StoredEdit[]) => void;
  /** Ends a conflict: with this text over theirs, or with theirs for null. */
  resolve: (id: string, text: string | null) => void;
  /** Whether something has not reached the server yet. */
  unsaved: () => boolean;
  /** How many changes have not reached the server yet. */
  waiting: () => number;
  stop: () => void;
}

export interface DocumentStore extends StoreApi<DocumentState> {
  actions: DocumentActions;
}
