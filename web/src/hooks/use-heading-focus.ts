import { type RefObject, useEffect, useRef } from "react";

/** The place whose heading was shown last, in any frame. */
let lastPlace: string | null = null;

/**
 * Focuses the heading when the reader has navigated: screen readers announce it, and Tab starts there. Not on the first
 * page, as after any page load, and not while the reader types into something opened over the page
 * (`data-keeps-focus`).
 */
export function useHeadingFocus(place: string): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const moved = lastPlace !== null && lastPlace !== place;
    lastPlace = place;
    if (moved && !document.activeElement?.closest("[data-keeps-focus]")) heading.current?.focus({ preventScroll: true });
  }, [place]);
  return heading;
}
