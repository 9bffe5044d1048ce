/** Where a new paragraph begins. */
import type { SpokenSegment } from "./model";

/** A pause this long, in seconds, parts two paragraphs. */
const PAUSE_SECONDS = 1.5;

export function beginsParagraph(before: SpokenSegment, segment: SpokenSegment): boolean {
  return segment.start - before.end >= PAUSE_SECONDS || segment.speaker !== before.speaker;
}
