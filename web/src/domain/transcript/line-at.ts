/** The line being played, as a time range of the recording. */
import type { SpokenSegment } from "./model";
import type { Span } from "./player-loop";
import { segmentAt, timelineOf } from "./timeline";

export const spanOfLine = ({ start, end }: SpokenSegment): Span => ({ from: start, to: end });

/** The last line that has begun; before all lines the first. Null if there are no lines. */
export function lineAt(segments: readonly SpokenSegment[], seconds: number): Span | null {
  const line = segments[Math.max(0, segmentAt(timelineOf(segments), seconds))];
  return line ? spanOfLine(line) : null;
}
