/** The word being played, and the reader's own word cursor, for the views that show words. */
import { useCallback, useEffect, useRef } from "react";
import { onWordsRendered } from "./deferred-words";
import { createWordMark, type WordMark } from "./spoken-word";
import { keepInView, type SpokenPlaceParts, useSpokenPlace } from "./use-spoken-place";

export interface SpokenWord {
  /** Whether the view follows playback from now on. */
  setFollowing: (following: boolean) => void;
  /** Sets the word cursor; returns its element if it is on the page. */
  place: (word: number) => HTMLElement | null;
  /** The word with the cursor, or -1. */
  placed: () => number;
  /** To be called after rows were mounted or unmounted. */
  refresh: () => void;
  /** Scrolls a word to the middle of the window. */
  show: (word: number) => void;
}

export function useSpokenWord(parts: Omit<SpokenPlaceParts, "words">): SpokenWord {
  const { container, timeline, player, bringIn } = parts;
  const mark = useRef<WordMark | null>(null);
  const cursor = useRef(-1);
  const refreshPlace = useSpokenPlace({ ...parts, words: true });

  useEffect(() => {
    if (!container.current) {
      return;
    }
    const placed = createWordMark(container.current, "data-cursor");
    placed.show(cursor.current);
    mark.current = placed;
    return () => {
      placed.clear();
      mark.current = null;
    };
  }, [container]);

  const refresh = useCallback(() => {
    mark.current?.refresh();
    refreshPlace();
  }, [refreshPlace]);

  useEffect(() => onWordsRendered(() => mark.current?.refresh()), []);

  const place = useCallback((word: number) => {
    cursor.current = word;
    return mark.current?.show(word) ?? null;
  }, []);

  const show = useCallback(
    (word: number) => {
      const element = place(word);
      if (element) {
        keepInView(element);
      } else {
        bringIn(timeline.segmentOf[word] ?? 0);
      }
    },
    [place, bringIn, timeline],
  );

  return { setFollowing: player.getState().follow, place, placed: () => cursor.current, refresh, show };
}
