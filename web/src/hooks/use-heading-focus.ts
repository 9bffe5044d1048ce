import { type RefObject, useEffect, useRef } from "react";

/** The place whose heading was shown last, in whatever frame. */
let shown: string | null = null;

/**
 * Takes the focus to the heading when the reader has come to another place: a screen reader says where, and Tab begins
 * there. The first place of all is left alone, as with any page that has just been loaded, and so is a reader who meanwhile
 * types into what was opened over the page (`data-keeps-focus`).
 */
export function useHeadingFocus(place: string): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const moved = shown !== null && shown !== place;
    shown = place;
    if (moved && !document.activeElement?.closest("[data-keeps-focus]")) heading.current?.focus({ preventScroll: true });
  }, [place]);
  return heading;
}
