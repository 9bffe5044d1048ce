/** The line that sounds, as a stretch of the recording. */
import type { SpokenSegment } from "./model";
import type { Span } from "./player-loop";
import { segmentAt, timelineOf } from "./timeline";

export const spanOfLine = ({ start, end }: SpokenSegment): Span => ({ from: start, to: end });

/** The line that has begun last; before all of them the first. Null where nothing is said. */
export function lineAt(segments: readonly SpokenSegment[], seconds: number): Span | null {
  const line = segments[Math.max(0, segmentAt(timelineOf(segments), seconds))];
  return line ? spanOfLine(line) : null;
}
