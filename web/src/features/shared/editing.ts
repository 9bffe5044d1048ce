/** What the rows of an editable shared text need. */
import { createContext, useContext } from "react";
import type { Drafts } from "./edits";
import type { SharedLine } from "./spoken";

/** The line being edited, and the initial position of the caret: a UTF-16 offset, or the end. */
export interface CaretPosition {
  line: string;
  caret: number | "end";
}

/** The line as the visitor saw it when they started to write, and the id for the edit. */
export type LineSnapshot = Pick<SharedLine, "id" | "text"> & { revision: number; version: number; editId: string };

/** Null if the link does not permit edits and nothing is unsaved. */
export interface EditingState {
  /** Whether the link allows edits, as far as is known. */
  may: boolean;
  /** Why edits are no longer accepted; null while they are. */
  ended: unknown;
  /** Whether a click on a line edits it. */
  on: boolean;
  turn: (on: boolean) => void;
  version: number;
  writing: CaretPosition | null;
  write: (line: string, caret: CaretPosition["caret"]) => void;
  /** Ends writing; the text must be saved or dropped before. */
  close: () => void;
  save: (snapshot: LineSnapshot, text: string) => void;
  /** Stores typed text for a reload. */
  keep: (snapshot: LineSnapshot, text: string) => void;
  /** Discards a draft that could not be saved or changed nothing; a newer edit of the line is kept. */
  drop: (line: string, editId: string) => void;
  drafts: Drafts;
  /** Changes the text of an unsaved draft. */
  amend: (line: string, text: string) => void;
  /** Sends a draft again, optionally on top of another author's revision. */
  retry: (line: string, revision?: number) => void;
  /** `onEnd` is called after it was saved or refused. */
  setSpeaker: (line: Pick<SharedLine, "id" | "revision">, speaker: string | null, onEnd?: () => void) => void;
  rename: (speaker: string, name: string | null) => void;
  canUndo: boolean;
  undo: () => void;
  status: "idle" | "saving" | "saved";
  /** Asks for the password, if the link now requires one. */
  unlock: () => void;
}

export const EditingContext = createContext<EditingState | null>(null);
export const useEditingContext = (): EditingState | null => useContext(EditingContext);
