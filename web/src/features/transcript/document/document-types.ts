/** Parts, state and actions of a document. */
import type { StoreApi } from "zustand/vanilla";
import type { Text } from "./apply";
import type { Conflict } from "./conflicts";
import type { Draft, EditStorage } from "./edit-storage";
import type { Edit, EditAnswer, EditedTranscript, EditOp, StoredEdit } from "./model";
import type { SaveStatus } from "./outbox";
import type { Direction } from "./steps";

/** The API requests of a document. */
export interface DocumentCalls {
  send: (version: number, edits: Edit[], leaving: boolean) => Promise<EditAnswer>;
  step: (direction: Direction, version: number, editId: string) => Promise<EditAnswer>;
}

/** A message that the page shows once, as a toast. */
export type Notice = "nothing_to_undo" | "nothing_to_redo" | "undo_conflict" | "step_failed" | "dropped" | "too_deep";

export interface DocumentParts {
  transcript: EditedTranscript;
  /** This tab's name in the journal. */
  client: string;
  calls: DocumentCalls;
  editStorage: EditStorage;
  /** Delay from the last key to the save, and how long `saved` is shown, in ms. */
  delayMs: number;
  shownMs: number;
  /** Settles when the page has rendered an edit; only rendered edits are sent. */
  shown?: () => Promise<void>;
  onNotice: (notice: Notice, error?: unknown) => void;
  /** Called when the events are not sufficient: the text must be fetched again. */
  onStale: () => void;
  newId?: () => string;
}

export interface DocumentState extends Text {
  version: number;
  /** The last known edit. */
  seq: number;
  status: SaveStatus;
  /** Why it could not be saved. */
  error: unknown;
  /** Whether the browser has stored the unsent edits; if not, they are lost with the page. */
  kept: boolean;
  /** The text being typed; null if the user is not typing, and after it has become an edit. */
  draft: Draft | null;
  conflicts: readonly Conflict[];
  canUndo: boolean;
  canRedo: boolean;
  /** The number of the newest edit that the server made for this page: a stretch that was recognised again. */
  recognisedAgain: number | null;
}

export interface DocumentActions {
  /** Applies an edit and sends it. */
  edit: (op: EditOp) => void;
  /** Sets the text of a segment after a keystroke. */
  type: (id: string, text: string) => void;
  /** Turns the typed text into an edit, and sends it. */
  commit: () => void;
  /** Restores the last saved text of the segment. */
  cancel: (id: string) => void;
  undo: () => Promise<void>;
  redo: () => Promise<void>;
  /** Sends pending edits, also after a failure. */
  flush: () => Promise<void>;
  /** Called when the page is being closed. */
  leave: () => void;
  /** Applies others' edits from the events. */
  receive: (edits: readonly StoredEdit[]) => void;
  /** Resolves a conflict: with this text, or with theirs for null. */
  resolve: (id: string, text: string | null) => void;
  /** Whether there are edits that the server has not stored yet. */
  unsaved: () => boolean;
  /** The number of changes that the server has not stored yet. */
  waiting: () => number;
  stop: () => void;
}

export interface DocumentStore extends StoreApi<DocumentState> {
  actions: DocumentActions;
}
