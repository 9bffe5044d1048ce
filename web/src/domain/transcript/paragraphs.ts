/** Where a new paragraph begins. */
import type { SpokenSegment } from "./model";

/** A pause this long, in seconds, separates two paragraphs. */
const PAUSE_SECONDS = 1.5;

type SpokenPart = Pick<SpokenSegment, "start" | "end" | "speaker">;

export function beginsParagraph(before: SpokenPart, segment: SpokenPart): boolean {
  return segment.start - before.end >= PAUSE_SECONDS || segment.speaker !== before.speaker;
}
