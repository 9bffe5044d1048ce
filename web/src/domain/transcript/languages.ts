/** The languages of a text whose speakers change between several. */
import type { SpokenSegment } from "./model";

type Part = Pick<SpokenSegment, "language">;

/** The language of a segment: its own or, without one, that of the text. */
export const languageOf = ({ language }: Part, text: string): string => language || text;

/** The languages of a text by first appearance, without those that are unknown. */
export const languagesOf = (segments: readonly Part[], text: string): string[] => {
  const found = new Set(segments.map((segment) => languageOf(segment, text)));
  found.delete("");
  return [...found];
};

/** The languages of a text, the one with the longest speech first, without those that are unknown. */
export const languagesByTime = (segments: readonly (Part & Pick<SpokenSegment, "start" | "end">)[], text: string): string[] => {
  const seconds = new Map<string, number>();
  for (const segment of segments) {
    const language = languageOf(segment, text);
    seconds.set(language, (seconds.get(language) ?? 0) + segment.end - segment.start);
  }
  seconds.delete("");
  return [...seconds].sort(([, a], [, b]) => b - a).map(([language]) => language);
};

/** A segment's `lang` attribute; absent where that of the text around it is right. */
export const langOf = (segment: Part, text: string): string | undefined => {
  const language = languageOf(segment, text);
  return language === text ? undefined : language;
};

/**
 * The language that begins at a segment; undefined where the one before goes on or is unknown. The first segment is
 * compared with the language of the text. Only for texts with several languages.
 */
export function newLanguage(before: Part | undefined, segment: Part | undefined, text: string): string | undefined {
  const language = segment ? languageOf(segment, text) : "";
  const last = before ? languageOf(before, text) : text;
  return language !== "" && last !== "" && language !== last ? language : undefined;
}
