/** The languages, themes and sizes in which pages are tested. */
import type { Locator, Page, PageScreenshotOptions } from "@playwright/test";

/** Whether this run takes screenshots of every state in every look, for review: `cargo xtask test pictures`. */
export const PICTURES = process.env.SLOVO_PICTURES !== undefined;

interface Look {
  locale: "uk" | "en";
  theme: "light" | "dark";
  width: number;
}

/**
 * All of them with `SLOVO_PICTURES=1`; otherwise the one at this index. A second look repeats the same steps and takes as long
 * as the first one, so a run for each change has one, and the files choose different ones: together they cover both languages,
 * both themes, phone and desktop. What depends on the length of texts is tested in both languages in every run: `layout`,
 * `narrow`, `tablet` and the pages of the site.
 */
export function eachLook<One extends Look>(looks: readonly One[], inEveryRun = 0): readonly One[] {
  return PICTURES ? looks : looks.slice(inEveryRun, inEveryRun + 1);
}

/** Both languages with `SLOVO_PICTURES=1`; otherwise this one, as with {@link eachLook}. */
export function eachLocale(inEveryRun: Look["locale"]): readonly Look["locale"][] {
  return PICTURES ? ["uk", "en"] : [inEveryRun];
}

/**
 * The widths, in px, in which tests open pages in this language: both with `SLOVO_PICTURES=1`, otherwise desktop for
 * Ukrainian and phone for English.
 */
export function eachWidth(locale: Look["locale"]): readonly (1280 | 390)[] {
  if (PICTURES) return [1280, 390];
  return locale === "uk" ? [1280] : [390];
}

/**
 * Saves a screenshot for review, only with `SLOVO_PICTURES=1`: in other runs nobody looks at it, and it takes up to a second.
 */
export async function shoot(target: Page | Locator, path: string, options: PageScreenshotOptions = {}): Promise<void> {
  if (PICTURES) await target.screenshot({ path, ...options });
}
