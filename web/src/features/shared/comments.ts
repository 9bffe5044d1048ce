/** Assigns comments to lines. */
import { createContext, type Dispatch, type SetStateAction, useContext } from "react";
import type { SharedComment } from "@/api";

/** State for the notes under the lines; null if the link does not allow comments. */
export interface CommentsState {
  token: string;
  byLine: ReadonlyMap<string, readonly SharedComment[]>;
  /** Whether every line has a button to comment on it. */
  on: boolean;
  /** The comment being written; it outlives its row, which unmounts when it is scrolled away. */
  draft: Draft | null;
  setDraft: Dispatch<SetStateAction<Draft | null>>;
  /** Entered once and kept for the next comment. */
  name: string;
  setName: (name: string) => void;
}

export interface Draft {
  /** The same until it is stored, so that a retry does not create a second comment. */
  id: string;
  line: string;
  text: string;
}

export const CommentingContext = createContext<CommentsState | null>(null);
export const useCommenting = (): CommentsState | null => useContext(CommentingContext);

export interface PlacedComments {
  byLine: Map<string, SharedComment[]>;
  /** Comments on lines that are no longer in the text. */
  elsewhere: SharedComment[];
}

/** A line is identified by its id within one run of recognition. */
export function placeComments(
  comments: readonly SharedComment[],
  text: { version: number; segments: readonly { id: string }[] },
): PlacedComments {
  const lines = new Set(text.segments.map(({ id }) => id));
  const placed: PlacedComments = { byLine: new Map(), elsewhere: [] };
  for (const comment of comments) {
    if (comment.version !== text.version || !lines.has(comment.segment)) {
      placed.elsewhere.push(comment);
      continue;
    }
    const lineComments = placed.byLine.get(comment.segment);
    if (lineComments) lineComments.push(comment);
    else placed.byLine.set(comment.segment, [comment]);
  }
  return placed;
}
