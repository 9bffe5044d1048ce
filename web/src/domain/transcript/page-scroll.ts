/**
 * Tells the reader's scrolling from the page's own. A scroll event does not say what caused it, so the page announces
 * its own scrolls; every other one is the reader's, whether by scrollbar, arrow key or the browser's search.
 */
import { scrollBehavior } from "@/lib/scroll-behavior";

/** Marks the player: a finger there moves the seek bar, not the text. */
export const PLAYER_ATTRIBUTE = "data-player";

/** A scroll of the page starts within this time after it was announced, in ms. */
const START_MS = 400;
/** Maximum gap between events of one programmatic scroll. */
const GAP_MS = 150;
/** When the layout changes, scroll anchoring may make the browser scroll by itself. */
const LAYOUT_MS = 250;

/** The spoken line stays between these shares of the window's height; after a scroll it is at one third. */
const BAND_TOP = 0.16;
const BAND_BOTTOM = 0.68;
const REST = 0.34;
/** Room under what sticks to the top, and a line over the player. */
const GAP_PX = 8;
const LINE_PX = 40;

export function createScrollWatch(now: () => number = () => performance.now()) {
  let ownUntil = 0;
  let layoutUntil = 0;
  return {
    /** The page is about to scroll. */
    own: () => {
      ownUntil = now() + START_MS;
    },
    /** The reader has certainly scrolled, even if the page was scrolling too. */
    takenOver: () => {
      ownUntil = 0;
    },
    layoutChanged: () => {
      layoutUntil = now() + LAYOUT_MS;
    },
    /** Handles a scroll event; true when it is the reader's. */
    scrolled: (): boolean => {
      const at = now();
      if (at < ownUntil) {
        ownUntil = Math.max(ownUntil, at + GAP_MS);
        return false;
      }
      return at >= layoutUntil;
    },
  };
}

/** There is one window, so there is one watcher. */
export const pageScrolls = createScrollWatch();

/** Scrolls the page while following; `instant` skips the animation for long distances. */
export function scrollPageBy(top: number, instant = false): void {
  pageScrolls.own();
  window.scrollBy({ top, behavior: instant ? "instant" : scrollBehavior() });
}

/** Marks what sticks to the top of the window, above the text. */
export const COVER_ATTRIBUTE = "data-cover";

/** The range in which a line is readable, and its best position after scrolling, in px from the top of the window. */
export function readingBand(): { top: number; bottom: number; rest: number } {
  const height = window.innerHeight;
  const edges = (attribute: string) =>
    [...document.querySelectorAll(`[${attribute}]`)].map((element) => element.getBoundingClientRect());
  const covered = Math.max(0, ...edges(COVER_ATTRIBUTE).map(({ bottom }) => bottom + GAP_PX));
  const dock = Math.min(height, ...edges(PLAYER_ATTRIBUTE).map(({ top }) => top - LINE_PX));
  const top = Math.max(height * BAND_TOP, covered);
  return { top, bottom: Math.max(top, Math.min(height * BAND_BOTTOM, dock)), rest: Math.max(height * REST, covered) };
}
