/** The limits of subtitles: a style guide, or custom values. */
import type { SubtitleOptions } from "@/api/exports";
import { subtitleLimitsOf, validateSubtitles } from "@/rules";
import { SUBTITLE_PRESETS } from "@/rules/constants";

export const GUIDES = ["usual", ...SUBTITLE_PRESETS, "own"] as const;
export type Guide = (typeof GUIDES)[number];

/** The custom limits, in the order of the form. */
export const FIGURES = ["max_columns", "max_lines", "max_cps", "min_seconds", "max_seconds", "gap_frames"] as const;
/** Properties of a video, independent of the style guide. */
export const VIDEO_FIGURES = ["frame_rate", "offset"] as const;
export type Figure = (typeof FIGURES)[number] | (typeof VIDEO_FIGURES)[number];

/** The state of the form; values are stored as typed, even if they are not valid numbers. */
export interface SubtitleChoice {
  guide: Guide;
  figures: Record<Figure, string>;
}

const WHOLE: readonly Figure[] = ["max_columns", "max_lines", "gap_frames"];

/** The default limits. */
export function defaultChoice(): SubtitleChoice {
  const limits = subtitleLimitsOf({}, "");
  const figures = Object.fromEntries([...FIGURES, ...VIDEO_FIGURES].map((figure) => [figure, String(limits[figure])]));
  return { guide: "usual", figures: figures as Record<Figure, string> };
}

/** The limits of a guide for its description. They depend on the language: Netflix allows a higher speed in English. */
export function guideFigures(guide: Exclude<Guide, "own">) {
  const options = guide === "usual" ? {} : { preset: guide };
  const { max_columns, max_cps, min_seconds, max_seconds } = subtitleLimitsOf(options, "");
  const english = subtitleLimitsOf(options, "en").max_cps;
  return {
    columns: max_columns,
    speed: max_cps,
    english: english === max_cps ? null : english,
    shortest: asFraction(min_seconds),
    longest: max_seconds,
  };
}

/** `5/6` for values that are simple fractions. */
function asFraction(value: number): string {
  const isWhole = (parts: number) => Math.abs(value * parts - Math.round(value * parts)) < 1e-9;
  const parts = [1, 2, 3, 4, 5, 6].find(isWhole);
  if (parts === undefined) return String(value);
  return parts === 1 ? String(value) : `${Math.round(value * parts)}/${parts}`;
}

/** The stored choice; invalid parts are replaced by defaults. */
export function readSubtitleChoice(stored: unknown): SubtitleChoice {
  const usual = defaultChoice();
  const { guide, figures }: Record<string, unknown> = Object(stored);
  const known: Record<string, unknown> = Object(figures);
  const read = (figure: Figure) => (typeof known[figure] === "string" ? known[figure].slice(0, 12) : usual.figures[figure]);
  return {
    guide: GUIDES.find((candidate) => candidate === guide) ?? usual.guide,
    figures: Object.fromEntries([...FIGURES, ...VIDEO_FIGURES].map((figure) => [figure, read(figure)])) as Record<Figure, string>,
  };
}

/** Accepts a comma as a decimal point. NaN if it is not a number, or not an integer where one is required. */
export function numberOf(figure: Figure, typed: string): number {
  const text = typed.trim().replace(",", ".");
  const number = text === "" ? Number.NaN : Number(text);
  return WHOLE.includes(figure) && !Number.isInteger(number) ? Number.NaN : number;
}

/** The limits for the request: only those that differ from the defaults. */
export function requestedLimits({ guide, figures }: SubtitleChoice): SubtitleOptions {
  const usual = defaultChoice().figures;
  const editable = guide === "own" ? [...FIGURES, ...VIDEO_FIGURES] : VIDEO_FIGURES;
  const changed = editable.filter((figure) => figures[figure] !== usual[figure]);
  return {
    ...(guide !== "usual" && guide !== "own" && { preset: guide }),
    ...Object.fromEntries(changed.map((figure) => [figure, numberOf(figure, figures[figure])])),
  };
}

/** The invalid values with their allowed ranges. */
export function wrongFigures(choice: SubtitleChoice): Map<string, { code: string; params: Record<string, unknown> }> {
  const options = requestedLimits(choice);
  const entries = Object.entries(options);
  // An invalid number is reported like one below the minimum.
  const checked = Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === "number" && !Number.isFinite(value) ? 1e9 : value]),
  );
  return new Map(validateSubtitles(checked).map(({ field, code, params }) => [field, { code, params }]));
}
