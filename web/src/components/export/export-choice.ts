/** What was last chosen for a file, kept by this browser. */
import { EXPORT_FORMATS, type ExportFormat, type ExportOptions } from "@/api/exports";

const KEY = "slovo.export";

const DEFAULTS: ExportOptions = { format: "docx", speakers: true, timestamps: false };

/** Those whose times and speakers can be left out. */
const PROSE: readonly ExportFormat[] = ["docx", "pdf", "txt", "md"];

export const isProse = (format: ExportFormat): boolean => PROSE.includes(format);

/** The format as the plan has it: what was chosen before, else the first that it has. All while that is not known. */
export function allowedFormat(format: ExportFormat, allowed: readonly string[] | undefined): ExportFormat {
  if (allowed === undefined || allowed.includes(format)) return format;
  return EXPORT_FORMATS.find((one) => allowed.includes(one)) ?? format;
}

export function readExportChoice(storage: Storage = localStorage): ExportOptions {
  try {
    const kept: Record<string, unknown> = Object(JSON.parse(storage.getItem(KEY) ?? "{}"));
    const flag = (value: unknown, otherwise: boolean) => (typeof value === "boolean" ? value : otherwise);
    return {
      format: EXPORT_FORMATS.find((format) => format === kept.format) ?? DEFAULTS.format,
      speakers: flag(kept.speakers, DEFAULTS.speakers),
      timestamps: flag(kept.timestamps, DEFAULTS.timestamps),
    };
  } catch {
    // Not JSON: the same as nothing.
    return DEFAULTS;
  }
}

export function keepExportChoice(options: ExportOptions, storage: Storage = localStorage): void {
  try {
    storage.setItem(KEY, JSON.stringify(options));
  } catch {
    // No room, or storage switched off: it is asked again the next time.
  }
}
