/** Limits for subtitles: a style guide, or custom numbers. */
import type { SubtitleWishes } from "@/api/exports";
import { subtitleLimitsOf, validateSubtitles } from "@/rules";
import { SUBTITLE_PRESETS } from "@/rules/constants";

export const GUIDES = ["usual", ...SUBTITLE_PRESETS, "own"] as const;
export type Guide = (typeof GUIDES)[number];

/** Custom numbers, in the order of the form. */
export const FIGURES = ["max_columns", "max_lines", "max_cps", "min_seconds", "max_seconds", "gap_frames"] as const;
/** Properties of a video, independent of the style guide. */
export const OF_VIDEO = ["frame_rate", "offset"] as const;
export type Figure = (typeof FIGURES)[number] | (typeof OF_VIDEO)[number];

/** As typed, including text that is not a number yet. */
export interface SubtitleChoice {
  guide: Guide;
  figures: Record<Figure, string>;
}

const WHOLE: readonly Figure[] = ["max_columns", "max_lines", "gap_frames"];

/** The default numbers. */
export function usualChoice(): SubtitleChoice {
  const limits = subtitleLimitsOf({}, "");
  const figures = Object.fromEntries([...FIGURES, ...OF_VIDEO].map((figure) => [figure, String(limits[figure])]));
  return { guide: "usual", figures: figures as Record<Figure, string> };
}

/** The stored value, as far as it is valid; the rest are defaults. */
export function readSubtitleChoice(kept: unknown): SubtitleChoice {
  const usual = usualChoice();
  const { guide, figures }: Record<string, unknown> = Object(kept);
  const known: Record<string, unknown> = Object(figures);
  const read = (figure: Figure) => (typeof known[figure] === "string" ? known[figure].slice(0, 12) : usual.figures[figure]);
  return {
    guide: GUIDES.find((one) => one === guide) ?? usual.guide,
    figures: Object.fromEntries([...FIGURES, ...OF_VIDEO].map((figure) => [figure, read(figure)])) as Record<Figure, string>,
  };
}

/** Accepts a decimal comma; NaN for text that is not a number, or not an integer if one is required. */
export function numberOf(figure: Figure, typed: string): number {
  const text = typed.trim().replace(",", ".");
  const number = text === "" ? Number.NaN : Number(text);
  return WHOLE.includes(figure) && !Number.isInteger(number) ? Number.NaN : number;
}

/** Only what differs from the defaults is sent. */
export function wishesOf({ guide, figures }: SubtitleChoice): SubtitleWishes {
  const usual = usualChoice().figures;
  const asked = guide === "own" ? [...FIGURES, ...OF_VIDEO] : OF_VIDEO;
  const own = asked.filter((figure) => figures[figure] !== usual[figure]);
  return {
    ...(guide !== "usual" && guide !== "own" && { preset: guide }),
    ...Object.fromEntries(own.map((figure) => [figure, numberOf(figure, figures[figure])])),
  };
}

/** The invalid fields, with their allowed ranges. */
export function wrongFigures(choice: SubtitleChoice): Map<string, { code: string; params: Record<string, unknown> }> {
  const wishes = wishesOf(choice);
  const entries = Object.entries(wishes);
  // A field that is not a number is reported like one below its range.
  const checked = Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === "number" && !Number.isFinite(value) ? 1e9 : value]),
  );
  return new Map(validateSubtitles(checked).map(({ field, code, params }) => [field, { code, params }]));
}
