/** A printed transcript: the whole text with its title, without the application's controls. */
import type { Page } from "@playwright/test";
import { eachLocale } from "../looks";
import { longText } from "../transcript-text";
import { expect, test } from "../workplace";

/** Like a browser: dispatches `beforeprint`, then applies print styles. */
async function print(page: Page) {
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await page.emulateMedia({ media: "print" });
}

async function endPrint(page: Page) {
  await page.emulateMedia({ media: null });
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
}

/** The visible text on paper; a title shown in two ways appears once. */
const onPaper = (page: Page) => page.evaluate(() => document.body.innerText.replaceAll(/\s+/g, " "));

for (const locale of eachLocale("en")) {
  test(`contains the whole text with speakers, and no controls (${locale})`, async ({ page, world, open }) => {
    // Longer than the part that is rendered around the window.
    world.segments = longText(4_000, 2_000);
    await open({ locale });
    const last = world.segments.at(-1)?.text ?? "";
    await expect(page.getByTestId("transcript-text")).toContainText(world.segments[0]?.text ?? "");
    const rows = await page.getByTestId("transcript-text").innerText();
    expect(rows.length, "characters that the view keeps on the page").toBeLessThan(20_000);

    await print(page);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(world.job.original_filename);
    const paper = await onPaper(page);
    const missing = world.segments.filter(({ text }) => !paper.includes(text.trim()));
    expect(missing.map(({ text }) => text)).toEqual([]);
    expect(paper.endsWith(last.trim())).toBe(true);
    for (const role of ["button", "navigation", "banner", "toolbar", "link", "textbox", "slider"] as const) {
      await expect(page.getByRole(role)).toHaveCount(0);
    }
    await expect(page.locator("audio, video").filter({ visible: true })).toHaveCount(0);
    // Black on white, regardless of the theme.
    const article = page.getByRole("article");
    await expect(article).toHaveCSS("color", "rgb(0, 0, 0)");
    await expect(article).toHaveAttribute("lang", "uk");
    // Nothing is cut at the right edge.
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);

    await endPrint(page);
    await expect(article.filter({ hasText: last })).toHaveCount(0);
    await expect(page.getByRole("toolbar")).toBeVisible();
  });
}
