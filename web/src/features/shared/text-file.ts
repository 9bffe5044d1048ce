/** A shared transcript as a text file, made where it is read. */
import type { SharedTranscript } from "@/api";
import { beginsParagraph } from "@/domain/transcript/paragraphs";
import { namesOf } from "@/domain/transcript/speakers";

/** The title, then a paragraph a pause; who speaks stands before what they say. */
export function textFile({ title, transcript }: Pick<SharedTranscript, "title" | "transcript">): string {
  const names = namesOf(transcript.speakers);
  const { segments } = transcript;
  const paragraphs: string[] = [];
  segments.forEach((segment, at) => {
    const before = segments[at - 1];
    const said = segment.text.trim();
    if (before && !beginsParagraph(before, segment)) {
      paragraphs[paragraphs.length - 1] += ` ${said}`;
      return;
    }
    const speaks = segment.speaker != null && segment.speaker !== before?.speaker;
    paragraphs.push(speaks && segment.speaker ? `${names.get(segment.speaker) ?? segment.speaker}: ${said}` : said);
  });
  return `${[title, ...paragraphs].join("\n\n")}\n`;
}

/** What a file may be called everywhere. */
export function fileName(title: string): string {
  const plain = title
    .replace(/[\\/:*?"<>|\p{Cc}]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  return `${plain.replace(/^\.+/, "") || "transcript"}.txt`;
}
