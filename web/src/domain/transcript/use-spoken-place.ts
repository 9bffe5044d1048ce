/**
 * Marks the current word or line in a view of the text, keeps it visible while following, and scrolls to it after
 * a seek. For every view: rows are identified by their keys, words by their numbers.
 */
import { type RefObject, useCallback, useEffect, useRef } from "react";
import { onWordsRendered } from "./deferred-words";
import { readingBand, scrollPageBy } from "./page-scroll";
import type { PlayerStore } from "./player-store";
import { createRowMark, createWordMark, type RowMark, type WordMark } from "./spoken-word";
import { segmentAt, type Timeline, wordAt } from "./timeline";
import { useReaderScrolls } from "./use-reader-scrolls";

export interface SpokenPlaceParts {
  /** The container of the rows. */
  container: RefObject<HTMLElement | null>;
  timeline: Timeline;
  player: PlayerStore;
  /** Scrolls a segment that is not on the page into view, by its position. */
  bringIn: (segment: number) => void;
  /** The row key at a time, by the position of its segment; null if there is none. */
  rowAt: (segment: number, seconds: number) => string | null;
  /** The view renders words one by one. */
  words?: boolean;
}

interface Marks {
  word: WordMark;
  row: RowMark;
  found: RowMark;
}

/** The last seen state of the player. */
interface LastPlace {
  word: number;
  row: string | null;
  seeks: number;
  following: boolean;
}

/** Returns the function to call after rows were mounted or unmounted. */
export function useSpokenPlace({ container, timeline, player, bringIn, rowAt, words = false }: SpokenPlaceParts): () => void {
  const marks = useRef<Marks | null>(null);
  const lastPlace = useRef<LastPlace | null>(null);
  /** A requested position is kept in view until the reader acts: content that loads later moves the text. */
  const aim = useRef<{ asked: number } | null>(null);

  useReaderScrolls(() => {
    aim.current = null;
    player.getState().follow(false);
  });

  useEffect(() => {
    if (!container.current) {
      return;
    }
    const created: Marks = {
      word: createWordMark(container.current, "data-spoken"),
      row: createRowMark(container.current, { "data-active": "", "aria-current": "time" }),
      found: createRowMark(container.current, { "data-found": "" }),
    };
    marks.current = created;
    return () => {
      created.word.clear();
      created.row.clear();
      created.found.clear();
      marks.current = null;
    };
  }, [container]);

  /** Marks the current place; returns its element. */
  const mark = useCallback(() => {
    const { time, playing, found } = player.getState();
    const started = time > 0 || playing || found !== null;
    // Before the first line, the first line is next.
    const segment = started ? Math.max(0, segmentAt(timeline, time)) : -1;
    const word = started && words ? wordAt(timeline, time) : -1;
    const row = segment < 0 ? null : rowAt(segment, time);
    const foundSegment = found === null ? -1 : Math.max(0, segmentAt(timeline, found));
    marks.current?.found.show(found === null || foundSegment !== segment ? null : rowAt(foundSegment, found));
    const rowElement = marks.current?.row.show(row) ?? null;
    const wordElement = marks.current?.word.show(word) ?? null;
    return { segment, word, row, element: wordElement ?? rowElement, movedOn: found !== null && foundSegment !== segment };
  }, [player, timeline, words, rowAt]);

  const reach = useCallback(
    (force: boolean) => {
      const { segment, element } = mark();
      if (!aim.current || segment < 0) {
        return;
      }
      if (element) {
        keepInView(element, true);
      } else if (force || aim.current.asked !== segment) {
        aim.current.asked = segment;
        bringIn(segment);
      }
    },
    [mark, bringIn],
  );

  useEffect(() => {
    const follow = () => {
      const before = lastPlace.current;
      const { playing, seeks, following, held } = player.getState();
      const { segment, word, row, element, movedOn } = mark();
      lastPlace.current = { word: word < 0 ? (before?.word ?? -1) : word, row, seeks, following };
      // A newly opened view shows the current position.
      const sought = before === null ? row !== null : seeks !== before.seeks || (following && !before.following);
      if (sought && !held) {
        aim.current = { asked: -1 };
        lastPlace.current.following = true;
        player.getState().follow(true);
        reach(true);
      } else if (playing && following && !held && (row !== before?.row || (word >= 0 && word !== before?.word))) {
        aim.current = null;
        if (element) {
          keepInView(element);
        } else {
          bringIn(segment);
        }
      }
      if (movedOn) {
        player.getState().leaveFound();
      }
    };
    follow();
    return player.subscribe(follow);
  }, [player, mark, reach, bringIn]);

  useEffect(() => {
    const page = new AbortController();
    const forget = () => {
      aim.current = null;
    };
    const options = { signal: page.signal, capture: true, passive: true };
    window.addEventListener("pointerdown", forget, options);
    window.addEventListener("keydown", forget, options);
    const stay = () => reach(true);
    const layout = new ResizeObserver(stay);
    layout.observe(document.body);
    return () => {
      page.abort();
      layout.disconnect();
    };
  }, [reach]);

  const refresh = useCallback(() => reach(false), [reach]);
  useEffect(() => onWordsRendered(refresh), [refresh]);
  return refresh;
}

/** Scrolls if the element is not at a readable position. */
export function keepInView(element: HTMLElement, instant = false): void {
  if (element.getClientRects().length === 0) {
    return;
  }
  const { top } = element.getBoundingClientRect();
  const band = readingBand();
  if (top >= band.top && top <= band.bottom) {
    return;
  }
  const by = top - band.rest;
  const { scrollHeight } = document.documentElement;
  const possible = by < 0 ? window.scrollY : scrollHeight - window.innerHeight - window.scrollY;
  // The first and the last lines cannot be scrolled to any height.
  if (possible > 1) {
    scrollPageBy(by, instant);
  }
}
