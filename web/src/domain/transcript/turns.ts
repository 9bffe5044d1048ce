/** A text as a conversation. */
import type { SpokenSegment } from "./model";

/** What one speaker says without interruption: positions `from` up to, not including, `to`. */
export interface Turn {
  speaker: string | null;
  from: number;
  to: number;
}

/** The turns of the text, in order. A long turn is split, so that a view can render a part of it. */
export function turnsOf(segments: readonly SpokenSegment[], most = 40): Turn[] {
  const turns: Turn[] = [];
  segments.forEach((segment, at) => {
    const speaker = segment.speaker ?? null;
    const last = turns.at(-1);
    if (last && last.speaker === speaker && last.to - last.from < most) {
      last.to = at + 1;
    } else {
      turns.push({ speaker, from: at, to: at + 1 });
    }
  });
  return turns;
}
