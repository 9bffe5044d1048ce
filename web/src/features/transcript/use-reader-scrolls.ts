/** Tells when the reader, and not the page, has scrolled: following must then stop. */
import { useEffect, useEffectEvent } from "react";

const SCROLL_KEYS = new Set(["PageUp", "PageDown", "Home", "End"]);

export function useReaderScrolls(onScroll: () => void): void {
  const heard = useEffectEvent(onScroll);
  useEffect(() => {
    const heardScroll = () => heard();
    const heardKey = (event: KeyboardEvent) => {
      if (SCROLL_KEYS.has(event.key) && !(event.target instanceof HTMLInputElement)) {
        heard();
      }
    };
    window.addEventListener("wheel", heardScroll, { passive: true });
    window.addEventListener("touchmove", heardScroll, { passive: true });
    window.addEventListener("keydown", heardKey);
    return () => {
      window.removeEventListener("wheel", heardScroll);
      window.removeEventListener("touchmove", heardScroll);
      window.removeEventListener("keydown", heardKey);
    };
  }, []);
}
