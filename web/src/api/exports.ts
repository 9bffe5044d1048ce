/** Exports of texts: one file, or an archive of several. */
import { ANNOTATION_FORMATS, type EXPORT_FORMATS, READ_FORMATS, SUBTITLE_FORMATS, WORD_TIME_FORMATS } from "@/rules/constants";
import { apiFetch } from "./client";
import type { components } from "./schema";

export type MadeFile = components["schemas"]["MadeFile"];

export type SubtitleOptions = components["schemas"]["SubtitleOptions"];

export type ExportLayout = components["schemas"]["ExportLayout"];

export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export interface ExportOptions {
  format: ExportFormat;
  speakers: boolean;
  /** Null: as in each job's settings. Subtitles always have times. */
  timestamps: boolean | null;
  /** The same for word times, in formats that support them. */
  words: boolean | null;
  /** A language of translated subtitles, added as a second line. */
  translation?: string | null;
  /** Bookmarks and highlights with notes at the end, in formats that support them. */
  annotations?: boolean;
  /** Limits for subtitles; the defaults if absent. */
  subtitles?: SubtitleOptions;
  /** Layout of the text; paragraphs if absent. */
  layout?: ExportLayout;
  /** Uses the user’s own template; DOCX only. */
  template?: boolean;
  /**
   * For questions and answers: the id of the speaker who asks; determined by the server if absent. For a single
   * transcription only.
   */
  asks?: string;
}

const among = (formats: readonly ExportFormat[]) => (format: ExportFormat) => formats.includes(format);

/** Formats with times before paragraphs. */
export const isProse = among(READ_FORMATS);

/** Whether the format has subtitles: with limits and an optional translation. */
export const isSubtitles = among(SUBTITLE_FORMATS);

/** Whether the format can contain word times. */
export const hasWordTimes = among(WORD_TIME_FORMATS);

/** Whether the format can contain bookmarks and notes. */
export const hasAnnotations = among(ANNOTATION_FORMATS);

/** The query parameters: only what differs from the job's settings. */
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
  /** Null if the server sends no name. */
  filename: string | null;
}

/** `version`: the run; by default the one that is shown. */
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

/** A file made when the job completed; later edits are not in it. */
export async function fetchMadeFile(id: string, format: MadeFile): Promise<ExportedFile> {
  return fileOf(await apiFetch(`/api/v1/jobs/${encodeURIComponent(id)}/files/${format}`));
}

/** An archive of at most 100 jobs; it lists those without a text. */
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

/** The file name from a Content-Disposition header, preferring the extended form (RFC 5987). */
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
