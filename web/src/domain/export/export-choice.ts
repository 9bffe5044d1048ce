/** The last export settings, stored in this browser; except times, which follow each transcription's settings. */
import type { ExportFormat, ExportLayout, ExportOptions } from "@/api/exports";
import { exportLayouts } from "@/rules";
import { EXPORT_FORMATS } from "@/rules/constants";
import { readSubtitleChoice, type SubtitleChoice } from "./subtitle-choice";

const KEY = "slovo.export";

/** The state of the dialog: the request, and the limits of subtitles as typed. */
export interface ExportChoice extends Omit<ExportOptions, "subtitles" | "layout" | "asks"> {
  /** The last choice, even if the current format does not support it. */
  layout: ExportLayout;
  limits: SubtitleChoice;
}

const DEFAULTS: ExportOptions = { format: "docx", speakers: true, timestamps: null, words: null };

/** A format that the plan includes: the last choice, else the first one. All, while the plan is unknown. */
export function allowedFormat(format: ExportFormat, allowed: readonly string[] | undefined): ExportFormat {
  if (allowed === undefined || allowed.includes(format)) return format;
  return EXPORT_FORMATS.find((candidate) => allowed.includes(candidate)) ?? format;
}

/** Layouts of this format: without speakers there is no question-and-answer layout. */
export const offeredLayouts = (format: ExportFormat, hasSpeakers: boolean): readonly ExportLayout[] =>
  exportLayouts(format).filter((layout) => hasSpeakers || layout !== "questions");

/** The layout if the format supports it, else the first one. */
export function layoutOf({ format, layout }: ExportChoice, hasSpeakers: boolean): ExportLayout {
  return offeredLayouts(format, hasSpeakers).find((candidate) => candidate === layout) ?? "paragraphs";
}

/** The layout for the request: absent for the default one. */
export function requestedLayout(choice: ExportChoice, hasSpeakers: boolean, asks: string | null): Partial<ExportOptions> {
  const layout = layoutOf(choice, hasSpeakers);
  if (layout === "paragraphs") return {};
  return { layout, ...(layout === "questions" && asks !== null && { asks }) };
}

export function readExportChoice(storage: Storage = localStorage): ExportChoice {
  try {
    const stored: Record<string, unknown> = Object(JSON.parse(storage.getItem(KEY) ?? "{}"));
    return {
      ...DEFAULTS,
      format: EXPORT_FORMATS.find((format) => format === stored.format) ?? DEFAULTS.format,
      speakers: typeof stored.speakers === "boolean" ? stored.speakers : DEFAULTS.speakers,
      layout: exportLayouts("docx").find((layout) => layout === stored.layout) ?? "paragraphs",
      limits: readSubtitleChoice(stored.limits),
      ...(stored.template === true && { template: true }),
    };
  } catch {
    // Invalid JSON is treated as no stored value.
    return { ...DEFAULTS, layout: "paragraphs", limits: readSubtitleChoice(null) };
  }
}

export function storeExportChoice(
  { format, speakers, layout, limits, template }: ExportChoice,
  storage: Storage = localStorage,
): void {
  try {
    storage.setItem(KEY, JSON.stringify({ format, speakers, layout, limits, template }));
  } catch {
    // Storage is full or disabled: the settings are not remembered.
  }
}
