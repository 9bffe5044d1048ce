/** Finished texts as files: one, or many in an archive. */
import { apiFetch } from "./client";

export const EXPORT_FORMATS = ["docx", "pdf", "txt", "md", "srt", "vtt", "csv", "json"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export interface ExportOptions {
  format: ExportFormat;
  speakers: boolean;
  /** Of prose alone: subtitles and data always have their times. */
  timestamps: boolean;
}

export interface ExportedFile {
  blob: Blob;
  /** Null where the server names none. */
  filename: string | null;
}

/** `version`: the run; the one that is shown if absent. */
export async function fetchExport(id: string, options: ExportOptions, version?: number): Promise<ExportedFile> {
  const query = new URLSearchParams({
    format: options.format,
    speakers: String(options.speakers),
    timestamps: String(options.timestamps),
    ...(version !== undefined && { version: String(version) }),
  });
  return fileOf(await apiFetch(`/api/v1/jobs/${encodeURIComponent(id)}/export?${query}`));
}

/** An archive of at most 100 jobs; it says itself which of them had no text. */
export async function fetchExports(jobs: readonly string[], options: ExportOptions): Promise<ExportedFile> {
  const response = await apiFetch("/api/v1/exports", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jobs, ...options }),
  });
  return fileOf(response);
}

async function fileOf(response: Response): Promise<ExportedFile> {
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
