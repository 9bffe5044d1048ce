/**
 * F8 and Shift+F8 go to the next or previous uncertain word; while editing it is selected, ready to be overwritten. F9
 * confirms the word and goes to the next one.
 */
import { useEffect, useEffectEvent } from "react";
import { useSearchParams } from "react-router";
import { timelineOf } from "@/domain/transcript/timeline";
import type { SpokenWord } from "@/domain/transcript/use-spoken-word";
import { segmentOf } from "../document/apply";
import type { EditedSegment } from "../document/model";
import type { Workspace } from "../workspace";
import { refOf } from "./editor-actions";
import { isUnsure, nextUnsure, unsureWords } from "./unsure";
import { wordAtOffset, wordRange } from "./word-range";

/** A request to the text: go to another uncertain word, or confirm the one at the cursor. */
export type WalkStep = 1 | -1 | "confirm";

export const WALK_EVENT = "slovo:walk";

/** A word by its position in the text. */
interface WordPosition {
  segment: EditedSegment;
  /** Index within the segment. */
  word: number;
}

export function useUnsureWalk(workspace: Workspace, spoken: SpokenWord): void {
  const { document: text, writing, write, editable } = workspace;
  const walk = (step: 1 | -1) => {
    const { segments } = text.getState();
    const timeline = timelineOf(segments);
    const word = nextUnsure(unsureWords(segments), spoken.placed(), step);
    const position = timeline.segmentOf[word];
    const segment = position === undefined ? undefined : segments[position];
    if (word < 0 || position === undefined || !segment) {
      return;
    }
    spoken.setFollowing(false);
    spoken.show(word);
    if (writing) {
      write(segment.id, wordRange(segment, word - (timeline.firstWord[position] ?? 0)));
    }
  };

  /** The word with the caret, or at the reader's cursor outside of editing. */
  const marked = (): WordPosition | null => {
    const state = text.getState();
    if (writing?.id != null) {
      const segment = segmentOf(state, writing.id);
      const field = window.document.activeElement;
      const word = segment && field instanceof HTMLTextAreaElement ? wordAtOffset(segment, field.selectionStart) : -1;
      return segment && word >= 0 ? { segment, word } : null;
    }
    const timeline = timelineOf(state.segments);
    const position = timeline.segmentOf[spoken.placed()];
    const segment = position === undefined ? undefined : state.segments[position];
    return segment ? { segment, word: spoken.placed() - (timeline.firstWord[position ?? 0] ?? 0) } : null;
  };

  const confirm = () => {
    // Committing the typed text may move words.
    text.actions.commit();
    const current = marked();
    const word = current?.segment.words[current.word];
    if (current && word && isUnsure(word)) {
      text.actions.edit({ kind: "confirm_words", segment: refOf(current.segment), words: [current.word] });
    }
    walk(1);
  };

  useRequestedWalk(workspace, () => {
    walk(1);
  });

  const take = useEffectEvent((step: WalkStep) => {
    if (step !== "confirm") {
      walk(step);
    } else if (editable) {
      confirm();
    }
  });

  useEffect(() => {
    const page = new AbortController();
    const { signal } = page;
    const onKeyDown = (event: KeyboardEvent) => {
      const step = event.ctrlKey || event.altKey || event.metaKey ? null : stepOf(event);
      if (step !== null) {
        event.preventDefault();
        take(step);
      }
    };
    window.addEventListener("keydown", onKeyDown, { signal });
    window.addEventListener(WALK_EVENT, (event) => take((event as CustomEvent<WalkStep>).detail), { signal });
    return () => page.abort();
  }, []);
}

const ASKED = "unsure";

/** A URL may request the first uncertain word, like that of the dashboard; only once. */
function useRequestedWalk({ showUnsure }: Workspace, walk: () => void): void {
  const [params, setParams] = useSearchParams();
  const requested = params.has(ASKED);
  const go = useEffectEvent(() => {
    setParams(
      (before) => {
        before.delete(ASKED);
        return before;
      },
      { replace: true, preventScrollReset: true },
    );
    showUnsure(true);
    walk();
  });
  useEffect(() => {
    if (requested) {
      go();
    }
  }, [requested]);
}

function stepOf({ key, shiftKey }: KeyboardEvent): WalkStep | null {
  if (key === "F8") {
    return shiftKey ? -1 : 1;
  }
  return key === "F9" && !shiftKey ? "confirm" : null;
}
