/** Translations as files. */
import type { TranslatedCue, TranslatedSegment } from "@/api/analysis";

/** A paragraph per segment, with its speaker if known. */
export const translationText = (segments: readonly TranslatedSegment[], names: ReadonlyMap<string, string>): string =>
  `${segments
    .map(({ speaker, text }) => {
      const name = speaker == null ? null : (names.get(speaker) ?? speaker);
      return name === null ? text : `${name}: ${text}`;
    })
    .join("\n")}\n`;

/** SubRip: numbers from 1, times to the millisecond, lines that cannot end a subtitle early. */
export const srtText = (cues: readonly TranslatedCue[]): string =>
  cues
    .map(
      ({ start, end, lines }, at) => `${at + 1}\n${cueTime(start, ",")} --> ${cueTime(end, ",")}\n${withoutEmptyLines(lines)}\n`,
    )
    .join("\n");

/** WebVTT, available in every plan: like SubRip, with markup characters escaped. */
export const vttText = (cues: readonly TranslatedCue[]): string => {
  const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const written = cues.map(
    ({ start, end, lines }) => `${cueTime(start, ".")} --> ${cueTime(end, ".")}\n${escaped(withoutEmptyLines(lines))}\n`,
  );
  return ["WEBVTT\n", ...written].join("\n");
};

const withoutEmptyLines = (lines: readonly string[]): string =>
  lines
    .flatMap((line) => line.split(/\r\n|[\r\n]/))
    .filter((line) => line.trim() !== "")
    .join("\n");

function cueTime(seconds: number, separator: string): string {
  const ms = Math.max(0, Math.round(seconds * 1000));
  const two = (value: number) => String(value).padStart(2, "0");
  const wholeSeconds = Math.floor(ms / 1000);
  const clock = [Math.floor(wholeSeconds / 3600), Math.floor((wholeSeconds % 3600) / 60), wholeSeconds % 60].map(two).join(":");
  return `${clock}${separator}${String(ms % 1000).padStart(3, "0")}`;
}

/** The name of a file in another language: of `talk` it is `talk.french.srt`. */
export const fileName = (stem: string, target: string, extension: string): string => `${stem || "slovo"}.${target}.${extension}`;
