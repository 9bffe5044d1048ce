/** Where in a segment's text a click or the caret is. */

interface CaretPlace {
  node: Node;
  offset: number;
}

/** Letters (UTF-16) of `container`'s text before the point of the window, or null when the point is not in it. */
export function offsetAtPoint(container: HTMLElement, x: number, y: number): number | null {
  const place = caretAt(x, y);
  if (!place || !container.contains(place.node)) {
    return null;
  }
  const range = document.createRange();
  range.selectNodeContents(container);
  range.setEnd(place.node, place.offset);
  return range.toString().length;
}

function caretAt(x: number, y: number): CaretPlace | null {
  if (document.caretPositionFromPoint) {
    const place = document.caretPositionFromPoint(x, y);
    return place && { node: place.offsetNode, offset: place.offset };
  }
  const range = document.caretRangeFromPoint?.(x, y);
  return range ? { node: range.startContainer, offset: range.startOffset } : null;
}

/** Whether the UTF-16 offset of a mirrored text is on its first or its last line. */
export function linesAt(mirror: HTMLElement, offset: number): { first: boolean; last: boolean } {
  const text = mirror.firstChild;
  const length = text?.textContent?.length ?? 0;
  if (!text || length === 0) {
    return { first: true, last: true };
  }
  const topOf = (at: number) => {
    const range = document.createRange();
    range.setStart(text, Math.min(at, length - 1));
    range.setEnd(text, Math.min(at + 1, length));
    return range.getBoundingClientRect().top;
  };
  const top = topOf(offset);
  return { first: Math.abs(top - topOf(0)) < 2, last: Math.abs(top - topOf(length - 1)) < 2 };
}
