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
 * All of them with `SLOVO_PICTURES=1`; otherwise the first two, which cover both languages, both themes, phone and desktop,
 * to save time in every run.
 */
export function eachLook<One extends Look>(looks: readonly One[]): readonly One[] {
  return PICTURES ? looks : looks.slice(0, 2);
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
