/**
 * Tells the reader's scrolling from the page's own. A scroll event does not say whose it is, so the page says before it
 * scrolls; every other one is the reader's, whatever they did it with: the scrollbar, an arrow key, the browser's search.
 */
import { scrollBehavior } from "@/lib/scroll-behavior";

/** Marks the player: a finger there moves the seek bar, not the text. */
export const PLAYER_ATTRIBUTE = "data-player";

/** A scroll of the page begins within this time after it was asked for. */
const START_MS = 400;
/** While it runs, its events are not further apart. */
const GAP_MS = 150;
/** When the layout changes, the browser may keep the text in place by a scroll of its own. */
const LAYOUT_MS = 250;

/** The spoken line stays between these shares of the window's height; after moving, it stands at the third. */
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
    /** The reader has scrolled for certain, even if the page was doing so, too. */
    takenOver: () => {
      ownUntil = 0;
    },
    layoutChanged: () => {
      layoutUntil = now() + LAYOUT_MS;
    },
    /** Hears a scroll event; true when it is the reader's. */
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

/** There is one window, so there is one watch. */
export const pageScrolls = createScrollWatch();

/** Moves the page for a reader who follows; `instant` for a way that is too long to be watched. */
export function scrollPageBy(top: number, instant = false): void {
  pageScrolls.own();
  window.scrollBy({ top, behavior: instant ? "instant" : scrollBehavior() });
}

/** Marks what sticks to the top of the window, over the text. */
export const COVER_ATTRIBUTE = "data-cover";

/** Where a line of the text can be read, and where it stands best after moving, in px from the top of the window. */
export function readingBand(): { top: number; bottom: number; rest: number } {
  const height = window.innerHeight;
  const edges = (attribute: string) =>
    [...document.querySelectorAll(`[${attribute}]`)].map((element) => element.getBoundingClientRect());
  const covered = Math.max(0, ...edges(COVER_ATTRIBUTE).map(({ bottom }) => bottom + GAP_PX));
  const dock = Math.min(height, ...edges(PLAYER_ATTRIBUTE).map(({ top }) => top - LINE_PX));
  const top = Math.max(height * BAND_TOP, covered);
  return { top, bottom: Math.max(top, Math.min(height * BAND_BOTTOM, dock)), rest: Math.max(height * REST, covered) };
}
