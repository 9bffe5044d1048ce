/** What was last chosen for a file, kept by this browser: not its times, which are as the transcription was asked for. */
import type { ExportFormat, ExportLayout, ExportOptions } from "@/api/exports";
import { exportLayouts } from "@/rules";
import { EXPORT_FORMATS } from "@/rules/constants";
import { readSubtitleChoice, type SubtitleChoice } from "./subtitle-choice";

const KEY = "slovo.export";

/** What the dialog holds: what is asked for, and the limits of subtitles as they are typed. */
export interface ExportChoice extends Omit<ExportOptions, "subtitles" | "layout" | "asks"> {
  /** What was chosen last, also where this format cannot have it. */
  layout: ExportLayout;
  limits: SubtitleChoice;
}

const DEFAULTS: ExportOptions = { format: "docx", speakers: true, timestamps: null, words: null };

/** The format as the plan has it: what was chosen before, else the first that it has. All while that is not known. */
export function allowedFormat(format: ExportFormat, allowed: readonly string[] | undefined): ExportFormat {
  if (allowed === undefined || allowed.includes(format)) return format;
  return EXPORT_FORMATS.find((one) => allowed.includes(one)) ?? format;
}

/** Layouts of this format: without speakers there is no question-and-answer layout. */
export const offeredLayouts = (format: ExportFormat, hasSpeakers: boolean): readonly ExportLayout[] =>
  exportLayouts(format).filter((layout) => hasSpeakers || layout !== "questions");

/** The layout as the format can have it: what was chosen, else the first. */
export function layoutOf({ format, layout }: ExportChoice, hasSpeakers: boolean): ExportLayout {
  return offeredLayouts(format, hasSpeakers).find((one) => one === layout) ?? "paragraphs";
}

/** What the server is asked for: nothing of the layout that every format has. */
export function askedLayout(choice: ExportChoice, hasSpeakers: boolean, asks: string | null): Partial<ExportOptions> {
  const layout = layoutOf(choice, hasSpeakers);
  if (layout === "paragraphs") return {};
  return { layout, ...(layout === "questions" && asks !== null && { asks }) };
}

export function readExportChoice(storage: Storage = localStorage): ExportChoice {
  try {
    const kept: Record<string, unknown> = Object(JSON.parse(storage.getItem(KEY) ?? "{}"));
    return {
      ...DEFAULTS,
      format: EXPORT_FORMATS.find((format) => format === kept.format) ?? DEFAULTS.format,
      speakers: typeof kept.speakers === "boolean" ? kept.speakers : DEFAULTS.speakers,
      layout: exportLayouts("docx").find((layout) => layout === kept.layout) ?? "paragraphs",
      limits: readSubtitleChoice(kept.limits),
      ...(kept.template === true && { template: true }),
    };
  } catch {
    // Not JSON: the same as nothing.
    return { ...DEFAULTS, layout: "paragraphs", limits: readSubtitleChoice(null) };
  }
}

export function keepExportChoice(
  { format, speakers, layout, limits, template }: ExportChoice,
  storage: Storage = localStorage,
): void {
  try {
    storage.setItem(KEY, JSON.stringify({ format, speakers, layout, limits, template }));
  } catch {
    // No room, or storage switched off: it is asked again the next time.
  }
}
