/** Whether the user is scrolling: off-screen work waits until the page stops moving. */

/** The page counts as at rest after this many ms without scrolling. */
const REST_MS = 120;

let scrolledAt = Number.NEGATIVE_INFINITY;
let watchers = 0;

/** Records that the page moved now. */
export function noteScroll(): void {
  scrolledAt = performance.now();
}

/** Listens for scrolling; returns the function that stops it. */
export function watchScrolling(): () => void {
  watchers += 1;
  if (watchers === 1) {
    window.addEventListener("scroll", noteScroll, { passive: true });
  }
  let watching = true;
  return () => {
    watchers -= watching ? 1 : 0;
    watching = false;
    if (watchers === 0) {
      window.removeEventListener("scroll", noteScroll);
    }
  };
}

/** Milliseconds until the page rests if there is no more scrolling; 0 or less when it does. Valid while watching. */
export const msUntilRest = (): number => scrolledAt + REST_MS - performance.now();
