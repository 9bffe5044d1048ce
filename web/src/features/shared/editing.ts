/** What the rows of a shared text that is corrected need of it. */
import { createContext, useContext } from "react";
import type { Drafts } from "./edits";
import type { SharedLine } from "./spoken";

/** The line that is being written, and where the caret begins: letters (UTF-16) from the start, or the end. */
export interface Writing {
  line: string;
  caret: number | "end";
}

/** What the visitor saw when they began to write, and the id that the edit gets. */
export type Seen = Pick<SharedLine, "id" | "text"> & { revision: number; version: number; editId: string };

/** Null if the link does not permit edits and nothing is unsaved. */
export interface Editing {
  /** The link lets edit, as far as is known. */
  may: boolean;
  /** Why nothing is taken any more; null while edits are. */
  ended: unknown;
  /** A click on a line writes in it. */
  on: boolean;
  turn: (on: boolean) => void;
  version: number;
  writing: Writing | null;
  write: (line: string, caret: Writing["caret"]) => void;
  /** Ends writing; whether the text is saved is said before. */
  close: () => void;
  save: (seen: Seen, text: string) => void;
  /** Keeps what is typed for a reload. */
  keep: (seen: Seen, text: string) => void;
  /** Lets go of what could not be saved, or was typed for nothing; another edit of the line stays. */
  drop: (line: string, editId: string) => void;
  drafts: Drafts;
  /** Gives a draft that is not saved another text. */
  amend: (line: string, text: string) => void;
  /** Sends a draft again, also over another author's revision. */
  retry: (line: string, revision?: number) => void;
  /** `onEnd` when it is saved or was refused. */
  setSpeaker: (line: Pick<SharedLine, "id" | "revision">, speaker: string | null, onEnd?: () => void) => void;
  rename: (speaker: string, name: string | null) => void;
  canUndo: boolean;
  undo: () => void;
  status: "idle" | "saving" | "saved";
  /** Asks for the password, where the link has come to ask for one. */
  unlock: () => void;
}

export const EditingContext = createContext<Editing | null>(null);
export const useEditingHere = (): Editing | null => useContext(EditingContext);
