/** Reports that the reader, and not the page, has scrolled: following must then stop. */
import { useEffect, useEffectEvent } from "react";
import { PLAYER_ATTRIBUTE, pageScrolls } from "./page-scroll";

const SCROLL_KEYS = new Set(["PageUp", "PageDown", "Home", "End", "ArrowUp", "ArrowDown"]);
/** Elements in which these keys do not scroll. */
const KEY_USERS = "input, textarea, select, [role='menu'], [role='listbox'], dialog, [role='dialog']";

export function useReaderScrolls(onScroll: () => void): void {
  const report = useEffectEvent(onScroll);
  useEffect(() => {
    const page = new AbortController();
    const options = { signal: page.signal, passive: true };
    // Unmistakable signs of the reader also end the page's own scroll in progress.
    const takeOver = () => {
      pageScrolls.takenOver();
      report();
    };
    window.addEventListener("wheel", takeOver, options);
    window.addEventListener(
      "touchmove",
      ({ target }) => {
        if (!(target instanceof Element && target.closest(`[${PLAYER_ATTRIBUTE}]`))) {
          takeOver();
        }
      },
      options,
    );
    window.addEventListener(
      "keydown",
      ({ key, target, defaultPrevented }) => {
        if (SCROLL_KEYS.has(key) && !defaultPrevented && !(target instanceof Element && target.closest(KEY_USERS))) {
          takeOver();
        }
      },
      options,
    );
    window.addEventListener(
      "pointerdown",
      ({ clientX }) => {
        // Outside the page's content is its scrollbar.
        if (clientX >= document.documentElement.clientWidth) {
          takeOver();
        }
      },
      options,
    );
    window.addEventListener(
      "scroll",
      () => {
        if (pageScrolls.scrolled()) {
          report();
        }
      },
      options,
    );
    window.addEventListener("resize", pageScrolls.layoutChanged, options);
    const layout = new ResizeObserver(pageScrolls.layoutChanged);
    layout.observe(document.body);
    return () => {
      page.abort();
      layout.disconnect();
    };
  }, []);
}
