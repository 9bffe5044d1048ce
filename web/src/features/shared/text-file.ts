/** Creates a text file of a shared transcript in the browser. */
import type { SharedTranscript } from "@/api";
import { beginsParagraph } from "@/domain/transcript/paragraphs";
import { namesOf } from "@/domain/transcript/speakers";

/** The title, then a paragraph per pause; each starts with its speaker. */
export function textFile({ title, transcript }: Pick<SharedTranscript, "title" | "transcript">): string {
  const names = namesOf(transcript.speakers);
  const { segments } = transcript;
  const paragraphs: string[] = [];
  segments.forEach((segment, at) => {
    const before = segments[at - 1];
    const text = segment.text.trim();
    if (before && !beginsParagraph(before, segment)) {
      paragraphs[paragraphs.length - 1] += ` ${text}`;
      return;
    }
    const speaks = segment.speaker != null && segment.speaker !== before?.speaker;
    paragraphs.push(speaks && segment.speaker ? `${names.get(segment.speaker) ?? segment.speaker}: ${text}` : text);
  });
  return `${[title, ...paragraphs].join("\n\n")}\n`;
}

/** A file name that is valid on all systems. */
export function fileName(title: string): string {
  const plain = title
    .replace(/[\\/:*?"<>|\p{Cc}]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  return `${plain.replace(/^\.+/, "") || "transcript"}.txt`;
}
