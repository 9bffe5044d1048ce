/** The administration on a tablet, where the sidebar leaves two thirds of the width. The API is mocked. */
import type { Page } from "@playwright/test";
import paths from "../../src/app/paths.json" with { type: "json" };
import { openAsAdmin, overviewOf, USERS } from "../admin-world";
import { test } from "../built-page";
import { expect } from "../test";
import { LOCALES, textsOf } from "../texts";

const WIDTH = 768;
test.use({ viewport: { width: WIDTH, height: 1024 } });

/** The horizontal overflow of the page. */
const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

/**
 * Words that are cut off by the window or a clipping element, or broken into two lines without a hyphen.
 */
const cutWords = (page: Page, within: string) =>
  page.evaluate((selector) => {
    const words: string[] = [];
    const rightOf = (element: Element | null): number => {
      if (!element) return innerWidth;
      const clips = getComputedStyle(element).overflowX !== "visible";
      return Math.min(clips ? element.getBoundingClientRect().right : innerWidth, rightOf(element.parentElement));
    };
    const look = (text: Text) => {
      const element = text.parentElement;
      if (!element?.checkVisibility() || element.closest(".sr-only, svg, select")) return;
      const right = rightOf(element) + 1;
      for (const word of text.data.matchAll(/[\p{L}\p{N}’]+/gu)) {
        const range = document.createRange();
        range.setStart(text, word.index);
        range.setEnd(text, word.index + word[0].length);
        const boxes = [...range.getClientRects()].filter(({ width }) => width > 0);
        if (boxes.some((box) => box.right > right) || new Set(boxes.map(({ top }) => Math.round(top))).size > 1) {
          words.push(word[0]);
        }
      }
    };
    for (const root of document.querySelectorAll(selector)) {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) look(walker.currentNode as Text);
    }
    return words;
  }, within);

for (const locale of LOCALES) {
  test(`accounts can be searched, and nothing is cut off (${locale})`, async ({ page, origin }) => {
    const t = textsOf(locale, "admin");
    await openAsAdmin(page, `${origin}/admin/users`, { users: USERS, plans: { plans: [] } }, { locale });
    await expect(page.getByText(USERS.users[1]?.email ?? "", { exact: true })).toBeVisible();
    await page.evaluate(() => document.fonts.ready);
    const search = page.getByRole("searchbox", { name: t.search });
    const box = await search.boundingBox();
    expect(box?.width, "px of the search field").toBeGreaterThanOrEqual(320);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(WIDTH);
    // The placeholder fits.
    const room = await search.evaluate((input: HTMLInputElement) => {
      const style = getComputedStyle(input);
      const pen = document.createElement("canvas").getContext("2d") as CanvasRenderingContext2D;
      pen.font = style.font;
      const inner = input.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
      return inner - pen.measureText(input.placeholder).width;
    });
    expect(room, "px that the placeholder leaves").toBeGreaterThanOrEqual(0);
    const requested = page.waitForRequest((request) => new URL(request.url()).searchParams.get("search") === "нестеренко");
    await search.fill("нестеренко");
    await requested;
    await expect(page).toHaveURL(/q=/);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    expect(await cutWords(page, "search, h1")).toEqual([]);
  });

  test(`the overview does not break words (${locale})`, async ({ page, origin }) => {
    const t = textsOf(locale, "admin-overview");
    await openAsAdmin(page, `${origin}/admin/overview`, { overview: overviewOf({ jobs: 1_240, made: 37 }) }, { locale });
    await expect(page.getByRole("main").getByRole("figure")).toHaveCount(5);
    await expect(page.getByRole("region", { name: t.totals })).toBeVisible();
    await page.evaluate(() => document.fonts.ready);
    expect(await cutWords(page, "main, h1")).toEqual([]);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
  });

  test(`each page shows its whole title, and does not scroll horizontally (${locale})`, async ({ page, origin }) => {
    const answers = { users: USERS, plans: { plans: [] }, overview: overviewOf({ jobs: 12, made: 3 }) };
    await openAsAdmin(page, `${origin}${paths.adminOverview}`, answers, { locale });
    const places = Object.entries(paths).filter(([name]) => /^admin[A-Z]/.test(name));
    expect(places.length).toBeGreaterThanOrEqual(9);
    for (const [, path] of places) {
      await page.getByRole("navigation").locator(`a[href="${path}"]`).first().click();
      await expect(page).toHaveURL(new RegExp(`${path}(\\?|$)`));
      const title = page.getByRole("heading", { level: 1 });
      await expect(title).toBeInViewport();
      await expect(title).not.toHaveText("Slovo");
      await page.evaluate(() => document.fonts.ready);
      const { wide, high } = await title.evaluate((heading) => ({
        wide: heading.scrollWidth - heading.clientWidth,
        high: heading.scrollHeight - heading.clientHeight,
      }));
      expect(wide, `px of the title of ${path} that are cut`).toBeLessThanOrEqual(1);
      expect(high, `px of the title of ${path} that are cut below`).toBeLessThanOrEqual(1);
      expect(await overflow(page), path).toBeLessThanOrEqual(0);
    }
  });
}
