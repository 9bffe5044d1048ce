/** Whether somebody scrolls: what is not looked at while the page moves waits until it rests. */

/** Nobody has scrolled for so long, in ms. */
const REST_MS = 120;

let scrolledAt = Number.NEGATIVE_INFINITY;
let watchers = 0;

/** Counts the present moment as one in which the page moved. */
export function stir(): void {
  scrolledAt = performance.now();
}

/** Takes notice of scrolling; returns how to stop. */
export function watchRest(): () => void {
  watchers += 1;
  if (watchers === 1) {
    window.addEventListener("scroll", stir, { passive: true });
  }
  let watching = true;
  return () => {
    watchers -= watching ? 1 : 0;
    watching = false;
    if (watchers === 0) {
      window.removeEventListener("scroll", stir);
    }
  };
}

/** Milliseconds until the page rests if nobody scrolls again; 0 or less when it does. Only known while it is watched. */
export const untilRest = (): number => scrolledAt + REST_MS - performance.now();
