/**
 * Marks what sounds in a view of the text, keeps it in view while the reader follows, and brings it there when they go to
 * another place of the recording. For every view: rows are known by their names, words by their numbers.
 */
import { type RefObject, useCallback, useEffect, useRef } from "react";
import { onWords } from "./late-words";
import { readingBand, scrollPageBy } from "./page-scroll";
import type { PlayerStore } from "./player-store";
import { createRowMark, createWordMark, type RowMark, type WordMark } from "./spoken-word";
import { segmentAt, type Timeline, wordAt } from "./timeline";
import { useReaderScrolls } from "./use-reader-scrolls";

export interface SpokenPlaceParts {
  /** What holds the rows. */
  container: RefObject<HTMLElement | null>;
  timeline: Timeline;
  player: PlayerStore;
  /** Brings a segment that is not on the page into it, by its position. */
  bringIn: (segment: number) => void;
  /** What the row of a moment is called, by the position of its segment; null where there is none. */
  rowAt: (segment: number, seconds: number) => string | null;
  /** The view shows words one by one. */
  words?: boolean;
}

interface Marks {
  word: WordMark;
  row: RowMark;
  found: RowMark;
}

/** What was last seen of the player. */
interface Seen {
  word: number;
  row: string | null;
  seeks: number;
  following: boolean;
}

/** Gives what is to be called after rows have come or gone. */
export function useSpokenPlace({ container, timeline, player, bringIn, rowAt, words = false }: SpokenPlaceParts): () => void {
  const marks = useRef<Marks | null>(null);
  const seen = useRef<Seen | null>(null);
  /** A place that was asked for is kept in view until the reader does something: what loads later moves the text. */
  const aim = useRef<{ asked: number } | null>(null);

  useReaderScrolls(() => {
    aim.current = null;
    player.getState().follow(false);
  });

  useEffect(() => {
    if (!container.current) {
      return;
    }
    const own: Marks = {
      word: createWordMark(container.current, "data-spoken"),
      row: createRowMark(container.current, { "data-active": "", "aria-current": "time" }),
      found: createRowMark(container.current, { "data-found": "" }),
    };
    marks.current = own;
    return () => {
      own.word.clear();
      own.row.clear();
      own.found.clear();
      marks.current = null;
    };
  }, [container]);

  /** Marks what sounds; gives where it is. */
  const mark = useCallback(() => {
    const { time, playing, found } = player.getState();
    const begun = time > 0 || playing || found !== null;
    // Before the first line, that one is the next to be heard.
    const segment = begun ? Math.max(0, segmentAt(timeline, time)) : -1;
    const word = begun && words ? wordAt(timeline, time) : -1;
    const row = segment < 0 ? null : rowAt(segment, time);
    const foundSegment = found === null ? -1 : Math.max(0, segmentAt(timeline, found));
    marks.current?.found.show(found === null || foundSegment !== segment ? null : rowAt(foundSegment, found));
    const rowElement = marks.current?.row.show(row) ?? null;
    const wordElement = marks.current?.word.show(word) ?? null;
    return { segment, word, row, element: wordElement ?? rowElement, movedOn: found !== null && foundSegment !== segment };
  }, [player, timeline, words, rowAt]);

  const reach = useCallback(
    (again: boolean) => {
      const { segment, element } = mark();
      if (!aim.current || segment < 0) {
        return;
      }
      if (element) {
        keepInView(element, true);
      } else if (again || aim.current.asked !== segment) {
        aim.current.asked = segment;
        bringIn(segment);
      }
    },
    [mark, bringIn],
  );

  useEffect(() => {
    const follow = () => {
      const before = seen.current;
      const { playing, seeks, following, held } = player.getState();
      const { segment, word, row, element, movedOn } = mark();
      seen.current = { word: word < 0 ? (before?.word ?? -1) : word, row, seeks, following };
      // A view that is opened shows where the recording is.
      const sought = before === null ? row !== null : seeks !== before.seeks || (following && !before.following);
      if (sought && !held) {
        aim.current = { asked: -1 };
        seen.current.following = true;
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
  useEffect(() => onWords(refresh), [refresh]);
  return refresh;
}

/** Scrolls when the element is not where it is read best. */
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
  // The first and the last lines cannot stand anywhere.
  if (possible > 1) {
    scrollPageBy(by, instant);
  }
}
