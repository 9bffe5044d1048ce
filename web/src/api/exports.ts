/** Finished texts as files: one, or many in an archive. */
import { ANNOTATION_FORMATS, type EXPORT_FORMATS, READ_FORMATS, SUBTITLE_FORMATS, WORD_TIME_FORMATS } from "@/rules/constants";
import { apiFetch } from "./client";
import type { components } from "./schema";

export type MadeFile = components["schemas"]["MadeFile"];

export type SubtitleWishes = components["schemas"]["SubtitleWishes"];

export type ExportLayout = components["schemas"]["ExportLayout"];

export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export interface ExportOptions {
  format: ExportFormat;
  speakers: boolean;
  /** Null: as each transcription was asked for. Subtitles always have their times. */
  timestamps: boolean | null;
  /** The same of the time of each word, in the formats that have a place for it. */
  words: boolean | null;
  /** A language into which the subtitles have been translated: it stands under each line. */
  translation?: string | null;
  /** Bookmarks and highlights with their notes at the end, in the formats that have a place for them. */
  annotations?: boolean;
  /** What subtitles keep to; the usual limits if absent. */
  subtitles?: SubtitleWishes;
  /** How the text stands in it; as paragraphs if absent. */
  layout?: ExportLayout;
  /** In the look of the user’s own template; of DOCX only. */
  template?: boolean;
  /** Who asks in questions and answers, by the speaker’s id; the server finds it out if absent. Of one transcription only. */
  asks?: string;
}

const among = (formats: readonly ExportFormat[]) => (format: ExportFormat) => formats.includes(format);

/** Formats with times before paragraphs. */
export const isProse = among(READ_FORMATS);

/** Whether it is of timed lines: with limits to keep to, and a place for a translation. */
export const isSubtitles = among(SUBTITLE_FORMATS);

/** Whether it can say when each word is said. */
export const hasWordTimes = among(WORD_TIME_FORMATS);

/** Whether it can end with bookmarks and notes. */
export const hasAnnotations = among(ANNOTATION_FORMATS);

/** What is said to the server: nothing of what is to be as it was asked for. */
function choices({ format, speakers, timestamps, words, translation, layout, annotations, template }: ExportOptions) {
  return {
    format,
    speakers,
    ...(timestamps !== null && { timestamps }),
    ...(words !== null && hasWordTimes(format) && { words }),
    ...(translation && isSubtitles(format) && { translation }),
    ...(layout && { layout }),
    ...(annotations && hasAnnotations(format) && { annotations }),
    ...(template && format === "docx" && { template }),
  };
}

export interface ExportedFile {
  blob: Blob;
  /** Null where the server names none. */
  filename: string | null;
}

/** `version`: the run; the one that is shown if absent. */
export async function fetchExport(id: string, options: ExportOptions, version?: number): Promise<ExportedFile> {
  const query = new URLSearchParams(
    Object.entries({
      ...choices(options),
      ...(isSubtitles(options.format) && options.subtitles),
      ...(options.asks !== undefined && { asks: options.asks }),
      ...(version !== undefined && { version }),
    }).map(([name, value]) => [name, String(value)]),
  );
  return fileOf(await apiFetch(`/api/v1/jobs/${encodeURIComponent(id)}/export?${query}`));
}

/** A file that was made when the job was done, as it was then. */
export async function fetchMadeFile(id: string, format: MadeFile): Promise<ExportedFile> {
  return fileOf(await apiFetch(`/api/v1/jobs/${encodeURIComponent(id)}/files/${format}`));
}

/** An archive of at most 100 jobs; it says itself which of them had no text. */
export async function fetchExports(jobs: readonly string[], options: ExportOptions): Promise<ExportedFile> {
  const response = await apiFetch("/api/v1/exports", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jobs, ...choices(options), ...(isSubtitles(options.format) && { subtitles: options.subtitles }) }),
  });
  return fileOf(response);
}

export async function fileOf(response: Response): Promise<ExportedFile> {
  return { blob: await response.blob(), filename: filenameOf(response.headers.get("content-disposition")) };
}

/** The name in a Content-Disposition header, the extended form (RFC 5987) first. */
export function filenameOf(header: string | null): string | null {
  const extended = header?.match(/filename\*\s*=\s*utf-8''([^;]+)/i)?.[1];
  if (extended !== undefined) {
    try {
      return decodeURIComponent(extended.trim());
    } catch {
      return null;
    }
  }
  return header?.match(/filename\s*=\s*"((?:[^"\\]|\\.)*)"/i)?.[1]?.replace(/\\(.)/g, "$1") ?? null;
}
