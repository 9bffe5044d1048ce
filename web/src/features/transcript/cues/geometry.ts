/** Positions on the waveform strip, and how far a subtitle can be moved there. */

/** The visible part of the recording: its first second, pixels per second, and the strip's width. */
export interface View {
  from: number;
  scale: number;
  width: number;
}

const SCALE_MIN = 4;
export const SCALE_MAX = 480;
export const SCALE_START = 60;
const ZOOM_STEP = 1.5;

export const xOf = ({ from, scale }: View, seconds: number): number => (seconds - from) * scale;
export const secondsOf = ({ from, scale }: View, x: number): number => from + x / scale;
export const endOf = ({ from, scale, width }: View): number => from + width / scale;

/** The view clamped to the recording; one shorter than the strip starts at the left. */
export function clampView(view: View, duration: number): View {
  const last = Math.max(0, duration - view.width / view.scale);
  return { ...view, from: Math.min(last, Math.max(0, view.from)) };
}

/** The view zoomed in (`steps` above 0) or out; the second at `x` does not move. */
export function zoomed(view: View, steps: number, x: number, duration: number): View {
  const scale = Math.min(SCALE_MAX, Math.max(SCALE_MIN, view.scale * ZOOM_STEP ** steps));
  return clampView({ ...view, scale, from: secondsOf(view, x) - x / scale }, duration);
}

/** The view with this range in it: unchanged if it is visible, else centred on it. */
export function revealing(view: View, start: number, end: number, duration: number): View {
  if (start >= view.from && end <= endOf(view)) {
    return view;
  }
  const visibleSeconds = view.width / view.scale;
  // A range longer than the strip is shown from its start.
  const from = end - start > visibleSeconds ? start - visibleSeconds * 0.05 : (start + end) / 2 - visibleSeconds / 2;
  return clampView({ ...view, from }, duration);
}

/** The view of the next page, if the playback position has left it. */
export const following = (view: View, time: number, duration: number): View =>
  time >= view.from && time <= endOf(view)
    ? view
    : clampView({ ...view, from: time - (view.width / view.scale) * 0.1 }, duration);

export type Grip = "start" | "end" | "body";

/** Distance in pixels from an edge within which the edge is dragged. */
const EDGE_PX = 8;

/** The part of a block that is gripped at `x`, `width` in pixels. A narrow block can only be moved as a whole. */
export function gripAt(x: number, width: number): Grip {
  if (width < 3 * EDGE_PX) {
    return "body";
  }
  return x <= EDGE_PX ? "start" : x >= width - EDGE_PX ? "end" : "body";
}

export interface Span {
  start: number;
  end: number;
}

/** The range of seconds in which a subtitle can be moved. */
export interface AllowedRange {
  least: number;
  most: number;
}

/** The span after its grip was moved by so many seconds, within the room and not shorter than `shortest`. */
export function moved({ start, end }: Span, grip: Grip, by: number, { least, most }: AllowedRange, shortest: number): Span {
  switch (grip) {
    case "start":
      return { start: Math.min(end - shortest, Math.max(Math.min(least, start), start + by)), end };
    case "end":
      return { start, end: Math.max(start + shortest, Math.min(Math.max(most, end), end + by)) };
    case "body": {
      // A span that is already outside of its room does not jump into it.
      const back = Math.min(0, least - start);
      const on = Math.max(0, most - end);
      const way = Math.min(on, Math.max(back, by));
      return { start: start + way, end: end + way };
    }
  }
}

/** Snap distance in pixels. */
const SNAP_PX = 6;

/** The additional movement that puts the grip at one of these places; 0 if none is near. */
export function snap(span: Span, grip: Grip, places: readonly number[], scale: number): number {
  const edges = grip === "start" ? [span.start] : grip === "end" ? [span.end] : [span.start, span.end];
  let best = SNAP_PX / scale;
  let by = 0;
  for (const place of places) {
    for (const edge of edges) {
      if (Math.abs(place - edge) < best) {
        best = Math.abs(place - edge);
        by = place - edge;
      }
    }
  }
  return by;
}

/** The peaks to draw: the maximum of each pixel column, from 0 to 1. */
export function columnsOf(peaks: readonly number[], view: View, duration: number, step: number): number[] {
  const count = Math.ceil(view.width / step);
  if (duration <= 0 || peaks.length === 0) {
    return [];
  }
  const perSecond = peaks.length / duration;
  return Array.from({ length: count }, (_, at) => {
    const from = secondsOf(view, at * step) * perSecond;
    const to = secondsOf(view, (at + 1) * step) * perSecond;
    let most = 0;
    for (let peak = Math.max(0, Math.floor(from)); peak < Math.min(peaks.length, Math.max(Math.ceil(to), from + 1)); peak += 1) {
      most = Math.max(most, peaks[peak] ?? 0);
    }
    return most;
  });
}

const TICKS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600];
const TICK_PX = 72;

/** The seconds with a mark on the ruler: round numbers, far enough apart for their labels. */
export function ticksOf(view: View, duration: number): number[] {
  const step = TICKS.find((candidate) => candidate * view.scale >= TICK_PX) ?? 600;
  const last = Math.min(endOf(view), duration);
  const ticks: number[] = [];
  for (let n = Math.ceil(view.from / step); n * step <= last; n += 1) {
    ticks.push(Math.round(n * step * 10) / 10);
  }
  return ticks;
}

/** Indices of the first segment that may be visible and of the one after the last; starts are non-decreasing. */
export function visibleSegments(starts: ArrayLike<number>, view: View, margin = 4): [from: number, to: number] {
  const above = (seconds: number) => {
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= seconds) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return [Math.max(0, above(view.from) - 1 - margin), Math.min(starts.length, above(endOf(view)) + margin)];
}
