/** The whole text for the clipboard: a paragraph a pause, as it is read. */
import type { SpokenSegment } from "./model";
import { beginsParagraph } from "./paragraphs";

export function plainText(segments: readonly SpokenSegment[]): string {
  return segments
    .map((segment, at) => {
      const before = segments[at - 1];
      const joint = before === undefined ? "" : beginsParagraph(before, segment) ? "\n\n" : " ";
      return joint + segment.text.trim();
    })
    .join("");
}
