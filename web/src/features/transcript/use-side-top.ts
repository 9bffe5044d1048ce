/**
 * The top of the column beside the text while the page is not scrolled, as `--side-top` on the column, so that it ends
 * above the dock and its video whatever is above it.
 */
import { type RefObject, useLayoutEffect, useRef } from "react";

const TOP_PROPERTY = "--side-top";

export function useSideTop(): RefObject<HTMLElement | null> {
  const side = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const column = side.current;
    const row = column?.parentElement;
    if (!column || !row) {
      return;
    }
    let known = -1;
    const measure = () => {
      const top = Math.ceil(row.getBoundingClientRect().top + window.scrollY);
      if (top !== known) {
        known = top;
        column.style.setProperty(TOP_PROPERTY, `${top}px`);
      }
    };
    // Content above a long text makes the page longer; above a short one it makes the row shorter.
    const observer = new ResizeObserver(measure);
    observer.observe(row);
    const page = row.closest("main");
    if (page) {
      observer.observe(page);
    }
    measure();
    return () => observer.disconnect();
  }, []);
  return side;
}
