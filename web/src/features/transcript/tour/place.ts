/** Where a mark stands beside what it is about. */

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

type Size = Pick<Box, "width" | "height">;

/** Between the mark and what it is about, and at least between the mark and the edges of the window. */
const GAP = 14;
const MARGIN = 12;

/**
 * Under one of the boxes, or over one, where it covers none of them; where it cannot, beside the first one that has room;
 * otherwise, and without anything that it is about, in the corner.
 */
export function placeBeside(about: readonly Box[], mark: Size, view: Size): Pick<Box, "left" | "top"> {
  const lowest = view.height - mark.height - MARGIN;
  const right = view.width - mark.width - MARGIN;
  const under = about.map(({ left, top, height }) => ({ left, top: top + height + GAP }));
  const over = about.map(({ left, top }) => ({ left, top: top - GAP - mark.height }));
  const places = [...under, ...over]
    .map(({ left, top }) => ({ left: Math.max(MARGIN, Math.min(left, right)), top }))
    .filter(({ top }) => top >= MARGIN && top <= lowest);
  const free = places.find((place) => !about.some((box) => overlap({ ...place, ...mark }, box)));
  return free ?? places[0] ?? { left: Math.max(MARGIN, right), top: Math.max(MARGIN, lowest) };
}

const overlap = (one: Box, other: Box) =>
  one.left < other.left + other.width &&
  other.left < one.left + one.width &&
  one.top < other.top + other.height &&
  other.top < one.top + one.height;

/** Whether two frames look alike. */
export const isSameBox = (one: Box, other: Box): boolean =>
  one.left === other.left && one.top === other.top && one.width === other.width && one.height === other.height;
