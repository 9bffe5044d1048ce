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

export interface Surroundings {
  /** What the mark is about. */
  about: readonly Box[];
  /** What stays to be seen if that can be: the head of the page. */
  clear: readonly Box[];
  /** What the mark may lie on: from the bar at the top down to the player. */
  view: Size;
}

/**
 * Under one of the boxes, or over one, where it covers none of them and nothing that stays to be seen; where it cannot,
 * where it covers none of them; where it cannot either, beside the first one that has room; otherwise, and without anything
 * that it is about, in the corner.
 */
export function placeBeside({ about, clear, view }: Surroundings, mark: Size): Pick<Box, "left" | "top"> {
  const lowest = view.height - mark.height - MARGIN;
  const right = view.width - mark.width - MARGIN;
  const places = [...about.map(under), ...about.map(({ left, top }) => ({ left, top: top - GAP - mark.height }))]
    .map(({ left, top }) => ({ left: Math.max(MARGIN, Math.min(left, right)), top }))
    .filter(({ top }) => top >= MARGIN && top <= lowest);
  const free = places.filter((place) => !about.some((box) => overlap({ ...place, ...mark }, box)));
  const best = free.find((place) => !clear.some((box) => overlap({ ...place, ...mark }, box)));
  return best ?? free[0] ?? places[0] ?? { left: Math.max(MARGIN, right), top: Math.max(MARGIN, lowest) };
}

const under = ({ left, top, height }: Box) => ({ left, top: top + height + GAP });

/**
 * How far the page has to be scrolled on so that the mark has its place under the lowest of the boxes that scroll. Nothing
 * where it has a good place as it is, and where the boxes would be scrolled away for it.
 */
export function roomToMake(surroundings: Surroundings, scrolling: readonly Box[], mark: Size, top: number): number {
  const { about, clear, view } = surroundings;
  const place = { ...placeBeside(surroundings, mark), ...mark };
  if ([...about, ...clear].every((box) => !overlap(place, box))) return 0;
  const lowest = Math.max(...scrolling.map((box) => under(box).top));
  const missing = lowest + mark.height + MARGIN - view.height;
  const highest = Math.min(...scrolling.map((box) => box.top));
  return missing > 0 && highest - missing >= top + GAP ? missing : 0;
}

const overlap = (one: Box, other: Box) =>
  one.left < other.left + other.width &&
  other.left < one.left + one.width &&
  one.top < other.top + other.height &&
  other.top < one.top + one.height;

/** Whether two frames look alike. */
export const isSameBox = (one: Box, other: Box): boolean =>
  one.left === other.left && one.top === other.top && one.width === other.width && one.height === other.height;
