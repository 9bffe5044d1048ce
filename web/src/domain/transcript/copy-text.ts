/** The whole text for the clipboard: a paragraph per pause, with the speaker's name at each change of speaker. */
import type { SpokenSegment } from "./model";
import { beginsParagraph } from "./paragraphs";
import { type NamedSpeaker, namesOf, speakerSign } from "./speakers";

export function plainText(segments: readonly SpokenSegment[], speakers: readonly NamedSpeaker[] = []): string {
  const names = namesOf(speakers);
  return segments
    .map((segment, at) => {
      const before = segments[at - 1];
      const joint = before === undefined ? "" : beginsParagraph(before, segment) ? "\n\n" : " ";
      const { speaker } = segment;
      const head = speaker == null || speaker === before?.speaker ? "" : `${names.get(speaker) ?? speakerSign(speaker)}: `;
      return joint + head + segment.text.trim();
    })
    .join("");
}
