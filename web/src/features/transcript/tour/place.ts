/** Positions a card beside the elements it explains. */

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

type Size = Pick<Box, "width" | "height">;

/** Minimum distance to the elements and to the edges of the window, in px. */
const GAP = 14;
const MARGIN = 12;

export interface PlacementContext {
  /** The explained elements. */
  about: readonly Box[];
  /** What should stay visible if possible: the page's heading. */
  clear: readonly Box[];
  /** Where the card may be: from the header down to the player. */
  view: Size;
}

/**
 * Below or above one of the boxes, without covering any of them or anything that should stay visible; else without
 * covering any of them; else beside the first one with room; otherwise, or without boxes, in the corner.
 */
export function placeBeside({ about, clear, view }: PlacementContext, mark: Size): Pick<Box, "left" | "top"> {
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
 * How far the page must scroll so that the card fits below the lowest box that scrolls. 0 if there is a good position
 * already, or if the boxes would scroll out of view.
 */
export function scrollToMakeRoom(surroundings: PlacementContext, scrolling: readonly Box[], mark: Size, top: number): number {
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

/** Whether two boxes look alike. */
export const isSameBox = (one: Box, other: Box): boolean =>
  one.left === other.left && one.top === other.top && one.width === other.width && one.height === other.height;
