/**
 * When the field goes that had the focus (Ctrl and Enter, Escape, Done), the text takes it, with its mark in what was
 * written: arrows go on from there, and Enter or F2 write again.
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

/** Gives what has to hear of the focus leaving something in the text. */
export function useFocusAfterWriting({ workspace: { document: store, writing }, text, spoken }: Parts) {
  const id = writing?.id ?? null;
  const written = useRef<string | null>(null);
  const left = useRef(false);
  useLayoutEffect(() => {
    const before = written.current;
    written.current = id;
    const byReader = left.current;
    left.current = false;
    // Who has left the field themselves, also for nothing on the page, wants the focus there.
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
  // A field that goes while it has the focus is not left: React says nothing of it then.
  return ({ target }: FocusEvent) => {
    left.current ||= target instanceof HTMLTextAreaElement && document.hasFocus();
  };
}
