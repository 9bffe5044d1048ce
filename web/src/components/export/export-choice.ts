/** What was last chosen for a file, kept by this browser: not its times, which are as the transcription was asked for. */
import { EXPORT_FORMATS, type ExportFormat, type ExportOptions } from "@/api/exports";
import { readSubtitleChoice, type SubtitleChoice } from "./subtitle-choice";

const KEY = "slovo.export";

/** What the dialog holds: what is asked for, and the limits of subtitles as they are typed. */
export interface ExportChoice extends Omit<ExportOptions, "subtitles"> {
  limits: SubtitleChoice;
}

const DEFAULTS: ExportOptions = { format: "docx", speakers: true, timestamps: null, words: null };

/** Those whose times stand before paragraphs. */
const PROSE: readonly ExportFormat[] = ["docx", "pdf", "txt", "md"];

export const isProse = (format: ExportFormat): boolean => PROSE.includes(format);

/** The format as the plan has it: what was chosen before, else the first that it has. All while that is not known. */
export function allowedFormat(format: ExportFormat, allowed: readonly string[] | undefined): ExportFormat {
  if (allowed === undefined || allowed.includes(format)) return format;
  return EXPORT_FORMATS.find((one) => allowed.includes(one)) ?? format;
}

export function readExportChoice(storage: Storage = localStorage): ExportChoice {
  try {
    const kept: Record<string, unknown> = Object(JSON.parse(storage.getItem(KEY) ?? "{}"));
    return {
      ...DEFAULTS,
      format: EXPORT_FORMATS.find((format) => format === kept.format) ?? DEFAULTS.format,
      speakers: typeof kept.speakers === "boolean" ? kept.speakers : DEFAULTS.speakers,
      limits: readSubtitleChoice(kept.limits),
    };
  } catch {
    // Not JSON: the same as nothing.
    return { ...DEFAULTS, limits: readSubtitleChoice(null) };
  }
}

export function keepExportChoice({ format, speakers, limits }: ExportChoice, storage: Storage = localStorage): void {
  try {
    storage.setItem(KEY, JSON.stringify({ format, speakers, limits }));
  } catch {
    // No room, or storage switched off: it is asked again the next time.
  }
}
