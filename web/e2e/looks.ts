/** The languages, themes and sizes in which pages are tested. */

interface Look {
  locale: "uk" | "en";
  theme: "light" | "dark";
  width: number;
}

/**
 * All of them with `SLOVO_PICTURES=1`; otherwise the first two, which cover both languages, both themes, phone and desktop,
 * to save time in every run.
 */
export function eachLook<One extends Look>(looks: readonly One[]): readonly One[] {
  return process.env.SLOVO_PICTURES ? looks : looks.slice(0, 2);
}

/**
 * The widths, in px, in which tests open pages in this language: both with `SLOVO_PICTURES=1`, otherwise desktop for
 * Ukrainian and phone for English.
 */
export function eachWidth(locale: Look["locale"]): readonly (1280 | 390)[] {
  if (process.env.SLOVO_PICTURES) return [1280, 390];
  return locale === "uk" ? [1280] : [390];
}
