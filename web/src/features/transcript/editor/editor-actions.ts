/** The keyboard actions of the segment editor: their edits, and the movement of the caret. */
import type { PlayerStore } from "@/domain/transcript/player-store";
import { newUuid } from "@/lib/tab-client";
import { normalizeText, segmentOf } from "../document/apply";
import type { DocumentStore } from "../document/document-store";
import type { EditedSegment, SegmentRef } from "../document/model";
import type { Caret } from "./segment-editor";

/** Each returns whether it has handled the key. */
export interface EditorActions {
  /** Ends editing; the text is saved. */
  done: () => boolean;
  /** Ends editing and restores the last saved text. */
  cancel: (id: string) => boolean;
  /** Splits the segment at the caret; at its end, the caret moves to the next one. */
  split: (id: string, value: string, at: number) => boolean;
  /** Moves the segment to the bin; a caret in it moves to the next one. */
  remove: (id: string) => boolean;
  mergeBefore: (id: string) => boolean;
  mergeAfter: (id: string) => boolean;
  go: (id: string, step: 1 | -1, caret: Caret) => boolean;
  /** Assigns the segment to the nth speaker, from 1. */
  give: (id: string, nth: number) => boolean;
  /** Plays, pauses or resumes the line. */
  play: (id: string) => boolean;
  /** The focus has left the field. */
  left: (id: string) => void;
}

/** Tolerance in seconds to recognise that the position has not changed since the pause. */
const SAME_PLACE_SECONDS = 0.5;

export const refOf = ({ id, revision }: EditedSegment): SegmentRef => ({ id, revision });

/**
 * The actions of one page. `write` puts the caret into a segment, or ends editing for null; `leave` ends it in this segment;
 * `removed` is called after a line was moved to the bin.
 */
export function createEditorActions(
  document: DocumentStore,
  player: PlayerStore,
  write: (id: string | null, caret: Caret) => void,
  leave: (id: string) => void,
  removed: (line: SegmentRef) => void,
): EditorActions {
  const { actions } = document;
  let stopped: { id: string; at: number } | null = null;

  const around = (id: string) => {
    const { segments, positions } = document.getState();
    const at = positions.get(id) ?? -1;
    return { before: segments[at - 1], here: segments[at], after: segments[at + 1] };
  };

  const remove = (id: string, caretTo: EditedSegment | undefined, caret: Caret): boolean => {
    actions.commit();
    if (document.getState().draft?.id === id) {
      // The field is empty; the saved text is moved to the bin.
      actions.cancel(id);
    }
    const { here } = around(id);
    if (here) {
      actions.edit({ kind: "remove", segments: [refOf(here)] });
      removed(refOf(here));
      write(caretTo?.id ?? null, caret);
    }
    return here !== undefined;
  };

  /** Whether the field of this segment has been emptied. */
  const isEmptied = (id: string): boolean => {
    const { draft } = document.getState();
    return draft?.id === id && normalizeText(draft.text) === "";
  };

  const join = (id: string, nextId: string): boolean => {
    actions.commit();
    const state = document.getState();
    const first = segmentOf(state, id);
    const second = segmentOf(state, nextId);
    if (!first || !second) {
      return false;
    }
    actions.edit({ kind: "merge", segment: refOf(first), next: refOf(second) });
    write(id, first.text.length + 1);
    return true;
  };

  return {
    done: () => {
      actions.commit();
      write(null, 0);
      return true;
    },
    cancel: (id) => {
      actions.cancel(id);
      write(null, 0);
      return true;
    },
    split: (id, value, at) => {
      const skipped = value.length - value.trimStart().length;
      const left = value.slice(skipped, Math.max(at, skipped));
      if (left.trim() === "" || value.slice(at).trim() === "") {
        const { after } = around(id);
        if (left.trim() !== "" && after) {
          write(after.id, 0);
        }
        return true;
      }
      actions.commit();
      const { here } = around(id);
      if (here) {
        const newId = newUuid();
        actions.edit({ kind: "split", segment: refOf(here), at: [...left].length, new_segment: newId });
        if (segmentOf(document.getState(), newId)) {
          write(newId, 0);
        }
      }
      return true;
    },
    remove: (id) => {
      const { before, after } = around(id);
      return remove(id, after ?? before, after ? 0 : "end");
    },
    mergeBefore: (id) => {
      const { before } = around(id);
      if (before === undefined) {
        return false;
      }
      return isEmptied(id) ? remove(id, before, "end") : join(before.id, id);
    },
    mergeAfter: (id) => {
      const { after } = around(id);
      if (after === undefined) {
        return false;
      }
      return isEmptied(id) ? remove(id, after, 0) : join(id, after.id);
    },
    go: (id, step, caret) => {
      const { before, after } = around(id);
      const target = step === 1 ? after : before;
      if (target) {
        write(target.id, caret);
      }
      return target !== undefined;
    },
    give: (id, nth) => {
      actions.commit();
      const { speakers } = document.getState();
      const speaker = speakers[nth - 1];
      const { here } = around(id);
      if (here && speaker && here.speaker !== speaker.id) {
        actions.edit({ kind: "set_speaker", segments: [refOf(here)], speaker: speaker.id });
      }
      return true;
    },
    play: (id) => {
      const { here } = around(id);
      const { playing, time, toggle, playOnce } = player.getState();
      if (!here) {
        return true;
      }
      const inside = time >= here.start && time < here.end;
      if (playing && inside) {
        toggle();
        stopped = { id, at: player.getState().time };
      } else {
        const isRepeated = inside && stopped?.id === id && Math.abs(time - stopped.at) < SAME_PLACE_SECONDS;
        playOnce({ from: isRepeated ? time : here.start, to: here.end });
      }
      return true;
    },
    left: (id) => {
      const { draft } = document.getState();
      if (draft?.id === id && normalizeText(draft.text) === "") {
        actions.cancel(id);
      } else {
        actions.commit();
      }
      // Editing ends if the focus moves within the page, but not to another window.
      if (window.document.hasFocus()) {
        leave(id);
      }
    },
  };
}
