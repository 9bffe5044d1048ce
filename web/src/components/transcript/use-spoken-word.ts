/** Marks the word that sounds and keeps it in view, for every view that shows words. */
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { onWords } from "./late-words";
import { scrollPageBy } from "./page-scroll";
import { type PlayerStore, selectPlaying } from "./player-store";
import { createWordMark, type WordMark } from "./spoken-word";
import { segmentAt, type Timeline, wordAt } from "./timeline";
import { useReaderScrolls } from "./use-reader-scrolls";

/** The marked word stays between these shares of the window's height. */
const BAND_TOP = 0.16;
const BAND_BOTTOM = 0.68;
/** After moving, it stands here. */
const REST = 0.34;

export interface SpokenWordParts {
  /** What holds the words. */
  container: RefObject<HTMLElement | null>;
  timeline: Timeline;
  player: PlayerStore;
  /** Brings a segment that is not on the page into it, by its position. */
  bringIn: (segment: number) => void;
}

export interface SpokenWord {
  /** The view goes with the voice. */
  following: boolean;
  setFollowing: (following: boolean) => void;
  /** The recording sounds, and the reader has gone elsewhere. */
  away: boolean;
  /** Puts the reader's own mark on a word; gives its element when it is on the page. */
  place: (word: number) => HTMLElement | null;
  /** The word with the reader's mark, or -1. */
  placed: () => number;
  /** To be called after rows have come or gone. */
  refresh: () => void;
  /** Brings a word into the middle of the window. */
  show: (word: number) => void;
}

export function useSpokenWord({ container, timeline, player, bringIn }: SpokenWordParts): SpokenWord {
  const marks = useRef<{ spoken: WordMark; cursor: WordMark } | null>(null);
  const cursor = useRef(-1);
  const [following, setFollowing] = useState(true);
  const playing = useStore(player, selectPlaying);
  useReaderScrolls(() => setFollowing(false));

  useEffect(() => {
    if (!container.current) {
      return;
    }
    const spoken = createWordMark(container.current, "data-spoken");
    const placed = createWordMark(container.current, "data-cursor");
    placed.show(cursor.current);
    marks.current = { spoken, cursor: placed };
    return () => {
      spoken.clear();
      placed.clear();
      marks.current = null;
    };
  }, [container]);

  useEffect(() => {
    let shown = -1;
    const follow = () => {
      const { time, playing: sounding } = player.getState();
      const word = time > 0 || sounding ? wordAt(timeline, time) : -1;
      const element = marks.current?.spoken.show(word) ?? null;
      if (word === shown || word < 0) {
        return;
      }
      shown = word;
      if (following && sounding) {
        keepInView(element, () => bringIn(segmentAt(timeline, time)));
      }
    };
    follow();
    return player.subscribe(follow);
  }, [player, timeline, following, bringIn]);

  const refresh = useCallback(() => {
    marks.current?.spoken.refresh();
    marks.current?.cursor.refresh();
  }, []);

  useEffect(() => onWords(refresh), [refresh]);

  const place = useCallback((word: number) => {
    cursor.current = word;
    return marks.current?.cursor.show(word) ?? null;
  }, []);

  const show = useCallback(
    (word: number) => {
      const element = place(word);
      keepInView(element, () => bringIn(timeline.segmentOf[word] ?? 0));
    },
    [place, bringIn, timeline],
  );

  return { following, setFollowing, away: playing && !following, place, placed: () => cursor.current, refresh, show };
}

/** Scrolls when the element is near an edge of the window, or not there at all. */
export function keepInView(element: HTMLElement | null, bringIn: () => void): void {
  if (!element) {
    bringIn();
    return;
  }
  const { top } = element.getBoundingClientRect();
  const share = top / window.innerHeight;
  if (share < BAND_TOP || share > BAND_BOTTOM) {
    scrollPageBy(top - window.innerHeight * REST);
  }
}
