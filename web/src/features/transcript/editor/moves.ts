/** What the keys of the segment editor do to the document, and where the caret goes. */
import type { PlayerStore } from "@/domain/transcript/player-store";
import { newUuid } from "@/lib/tab-client";
import { normalizeText, segmentOf } from "../document/apply";
import type { DocumentStore } from "../document/document-store";
import type { EditedSegment, SegmentRef } from "../document/model";
import type { Caret } from "./segment-editor";

/** Each says whether the key was its own. */
export interface EditorMoves {
  /** Ends writing; the text is saved. */
  done: () => boolean;
  /** Ends writing with the last saved text. */
  cancel: (id: string) => boolean;
  /** Parts the segment at the caret; at its end the caret goes on to the next one. */
  split: (id: string, value: string, at: number) => boolean;
  /** Puts the segment into the bin; the caret, if it was in it, goes on to the next one. */
  remove: (id: string) => boolean;
  mergeBefore: (id: string) => boolean;
  mergeAfter: (id: string) => boolean;
  go: (id: string, step: 1 | -1, caret: Caret) => boolean;
  /** Gives the segment to the nth of the speakers, from 1. */
  give: (id: string, nth: number) => boolean;
  /** Plays the line, or stops it; once stopped it goes on from there. */
  play: (id: string) => boolean;
  /** The focus has left the field. */
  left: (id: string) => void;
}

/** Who stopped within so many seconds of a place has not gone elsewhere since. */
const SAME_PLACE_SECONDS = 0.5;

export const refOf = ({ id, revision }: EditedSegment): SegmentRef => ({ id, revision });

/**
 * The moves of one page; `write` puts the caret into a segment, or ends writing for null; `leave` ends it in this one;
 * `removed` hears of a line that went into the bin.
 */
export function createMoves(
  document: DocumentStore,
  player: PlayerStore,
  write: (id: string | null, caret: Caret) => void,
  leave: (id: string) => void,
  removed: (line: SegmentRef) => void,
): EditorMoves {
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
      // Nothing was left of it in the field; what stood there is what goes into the bin.
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
        const again = inside && stopped?.id === id && Math.abs(time - stopped.at) < SAME_PLACE_SECONDS;
        playOnce({ from: again ? time : here.start, to: here.end });
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
      // Back from another window, one goes on writing; elsewhere on the page one is done with the segment.
      if (window.document.hasFocus()) {
        leave(id);
      }
    },
  };
}
