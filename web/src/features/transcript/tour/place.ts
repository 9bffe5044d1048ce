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

/** Under it; over it where there is no room; otherwise in the corner, and without anything it is about, too. */
export function placeBeside(about: Box | undefined, mark: Size, view: Size): Pick<Box, "left" | "top"> {
  const lowest = view.height - mark.height - MARGIN;
  const right = view.width - mark.width - MARGIN;
  if (!about) return { left: Math.max(MARGIN, right), top: Math.max(MARGIN, lowest) };
  const left = within(about.left + about.width / 2 - mark.width / 2, right);
  const under = about.top + about.height + GAP;
  if (under >= MARGIN && under <= lowest) return { left, top: under };
  const over = about.top - GAP - mark.height;
  if (over >= MARGIN && over <= lowest) return { left, top: over };
  return { left: Math.max(MARGIN, right), top: Math.max(MARGIN, lowest) };
}

const within = (at: number, most: number) => Math.max(MARGIN, Math.min(at, most));

/** Whether two frames look alike. */
export const isSameBox = (one: Box, other: Box): boolean =>
  one.left === other.left && one.top === other.top && one.width === other.width && one.height === other.height;
