/** Which comment stands at which line. */
import { createContext, type Dispatch, type SetStateAction, useContext } from "react";
import type { SharedComment } from "@/api";

/** What the notes under the lines need; null where the link takes no comments. */
export interface Commenting {
  token: string;
  byLine: ReadonlyMap<string, readonly SharedComment[]>;
  /** Whether every line has a button to comment on it. */
  on: boolean;
  /** The comment that is being written; it outlives its row, which goes when it is scrolled away. */
  draft: Draft | null;
  setDraft: Dispatch<SetStateAction<Draft | null>>;
  /** Said once, it is there for the next comment. */
  name: string;
  setName: (name: string) => void;
}

export interface Draft {
  /** The same until it is stored: a line that breaks makes no second comment. */
  id: string;
  line: string;
  text: string;
}

export const CommentingContext = createContext<Commenting | null>(null);
export const useCommenting = (): Commenting | null => useContext(CommentingContext);

export interface PlacedComments {
  byLine: Map<string, SharedComment[]>;
  /** Those on lines that are not in the text any more. */
  elsewhere: SharedComment[];
}

/** A line is the same one only in the run of recognition that it was in. */
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
    const there = placed.byLine.get(comment.segment);
    if (there) there.push(comment);
    else placed.byLine.set(comment.segment, [comment]);
  }
  return placed;
}
