/**
 * How far down the column beside the text begins while the page is not scrolled, as `--side-top` on the column: it ends above
 * the dock and its picture also then, whatever stands over it.
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
    // What stands over a long text makes the page longer; over a short one it makes the row shorter.
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
