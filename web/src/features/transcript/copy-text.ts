/** The whole text for the clipboard: a paragraph a pause, as it is read. */
import type { Segment } from "./model";
import { beginsParagraph } from "./paragraphs";

export function plainText(segments: readonly Segment[]): string {
  return segments
    .map((segment, at) => {
      const before = segments[at - 1];
      const joint = before === undefined ? "" : beginsParagraph(before, segment) ? "\n\n" : " ";
      return joint + segment.text.trim();
    })
    .join("");
}
