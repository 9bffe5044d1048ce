/**
 * When the focused field disappears (Ctrl and Enter, Escape, Done), the text gets the focus, with its cursor at the
 * edited word: arrow keys continue from there, and Enter or F2 edit again.
 */
import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from "react";
import { timelineOf } from "@/domain/transcript/timeline";
import type { SpokenWord } from "@/domain/transcript/use-spoken-word";
import type { Workspace } from "../workspace";

interface Parts {
  workspace: Pick<Workspace, "document" | "writing">;
  text: RefObject<HTMLElement | null>;
  spoken: Pick<SpokenWord, "place" | "placed">;
}

/** Returns the handler for blur events in the text. */
export function useFocusAfterWriting({ workspace: { document: store, writing }, text, spoken }: Parts) {
  const id = writing?.id ?? null;
  const written = useRef<string | null>(null);
  const leftByReader = useRef(false);
  useLayoutEffect(() => {
    const before = written.current;
    written.current = id;
    const byReader = leftByReader.current;
    leftByReader.current = false;
    // If the reader has moved the focus themselves, it stays there.
    if (before === null || id !== null || byReader || document.activeElement !== document.body) {
      return;
    }
    const { segments, positions } = store.getState();
    const position = positions.get(before);
    const timeline = timelineOf(segments);
    if (position !== undefined && timeline.segmentOf[spoken.placed()] !== position) {
      spoken.place(timeline.firstWord[position] ?? 0);
    }
    text.current?.focus({ preventScroll: true });
  });
  // React reports no blur when a focused field is unmounted.
  return ({ target }: FocusEvent) => {
    leftByReader.current ||= target instanceof HTMLTextAreaElement && document.hasFocus();
  };
}
